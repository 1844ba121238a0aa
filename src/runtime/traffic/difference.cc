#include "runtime/traffic/difference.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/traffic/render.h"

namespace slipway::runtime::traffic {

namespace {

bool has(const Backend& backend, const Server& server) {
  return std::ranges::binary_search(backend.servers, server);
}

// Whether both differ in nothing but what changes at run time: servers and weights.
bool same_shape(const Backend& a, const Backend& b) { return a.http == b.http; }

bool same_shape(const Rule& a, const Rule& b) {
  return a.filters == b.filters && a.patience == b.patience &&
         std::ranges::equal(a.choices, b.choices, [](const Choice& x, const Choice& y) {
           return x.backend == y.backend && x.filters == y.filters;
         });
}

template <class Part>
bool same_shape(const std::map<std::string, Part>& a, const std::map<std::string, Part>& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && same_shape(x.second, y.second);
  });
}

bool same_shape(const Traffic& a, const Traffic& b) {
  return a.listeners == b.listeners && same_shape(a.backends, b.backends) &&
         same_shape(a.rules, b.rules);
}

// Where each rule is in effect, and for what.
std::map<std::string, std::vector<std::pair<std::string, Match>>> uses_of(const Traffic& traffic) {
  std::map<std::string, std::vector<std::pair<std::string, Match>>> uses;
  for (const Listener& listener : traffic.listeners)
    for (const Match& match : listener.matches) uses[match.rule].emplace_back(listener.name, match);
  return uses;
}

class Differ {
 public:
  explicit Differ(const Applied& now) { change_.parked = now.parked; }

  void compare(const std::string& name, const Backend& now, const Backend& wanted) {
    for (const Server& server : wanted.servers)
      if (!has(now, server)) bring(name, server);
    for (const Server& server : now.servers)
      if (!has(wanted, server)) take(name, server);
  }
  void compare(const Rule& now, const Rule& wanted) {
    const std::string cuts = render_cuts(wanted);
    if (cuts != render_cuts(now))
      weigh_.push_back({.text = fmt::format("set map {} {} {}", kWeightsFile, wanted.name, cuts)});
  }
  Change finish() && {
    auto& all = change_.commands;
    // A server is there before traffic is sent its way, and goes after it was sent elsewhere.
    all = std::move(bring_);
    all.insert(all.end(), weigh_.begin(), weigh_.end());
    all.insert(all.end(), take_.begin(), take_.end());
    if (!all.empty())
      for (const auto& [backend, server] : change_.parked)
        all.push_back({.text = fmt::format("del server {}/{}", backend, server),
                       .answer = "Server deleted.",
                       .forgets = {backend, server}});
    return std::move(change_);
  }

 private:
  void bring(const std::string& backend, const Server& server) {
    const std::string name = server_name(server);
    if (change_.parked.erase({backend, name}) == 0)
      bring_.push_back({.text = fmt::format("add server {0}/{1} {1}", backend, name),
                        .answer = "New server registered."});
    bring_.push_back({.text = fmt::format("set server {}/{} state ready", backend, name)});
  }
  void take(const std::string& backend, const Server& server) {
    const std::string name = server_name(server);
    take_.push_back({.text = fmt::format("set server {}/{} state maint", backend, name)});
    change_.parked.emplace(backend, name);
  }

  Change change_;
  std::vector<Command> bring_, weigh_, take_;
};

}  // namespace

Change difference(const Applied& now, const Traffic& wanted) {
  if (!same_shape(now.traffic, wanted)) return {.reload = true};
  Differ differ(now);
  // Of one shape, so both have the same backends and rules.
  for (const auto& [name, backend] : wanted.backends)
    differ.compare(name, now.traffic.backends.at(name), backend);
  for (const auto& [name, rule] : wanted.rules) differ.compare(now.traffic.rules.at(name), rule);
  Change change = std::move(differ).finish();
  if (change.parked.size() > kMaxParked || change.commands.size() > kMaxCommands)
    return {.reload = true};
  return change;
}

Traffic without_reload(const Traffic& now, const Traffic& wanted) {
  Traffic some = now;
  for (auto& [name, backend] : some.backends)
    if (const auto found = wanted.backends.find(name);
        found != wanted.backends.end() && same_shape(backend, found->second))
      backend.servers = found->second.servers;
  auto now_used = uses_of(now), then_used = uses_of(wanted);
  // Rules are called by their place in the route, so one of the same name may be another.
  for (auto& [name, rule] : some.rules)
    if (const auto found = wanted.rules.find(name); found != wanted.rules.end() &&
                                                    same_shape(rule, found->second) &&
                                                    now_used[name] == then_used[name])
      rule.choices = found->second.choices;
  return some;
}

}  // namespace slipway::runtime::traffic
