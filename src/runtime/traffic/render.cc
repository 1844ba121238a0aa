#include "runtime/traffic/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "runtime/traffic/render_listener.h"

namespace slipway::runtime::traffic {

namespace {

// Sums of microseconds are kept in variables of the process, which only one thread can add to.
// 32 kB of headers fit into a buffer, with what the proxy puts beside them. Only what is under way
// has buffers, up to four for each of at most 10,000 connections: 1.5 GB if all of them stall.
constexpr const char* kGlobal[] = {
    "nbthread 1",         "tune.bufsize 36864", "fd-hard-limit 20000",
    "hard-stop-after 1h", "stats timeout 1h",
};
// Servers are known to be ready by their Pods, so none is probed; a request that could not be sent
// goes to another one.
constexpr const char* kDefaults[] = {
    "mode tcp",
    "balance roundrobin",
    "timeout connect 3s",
    "timeout client 1h",
    "timeout server 1h",
    "timeout tunnel 1h",
    "timeout http-request 30s",
    "timeout http-keep-alive 75s",
    "timeout queue 10s",
    "option redispatch 1",
    "retries 3",
};

void render_head(const Traffic& traffic, Lines& lines) {
  lines.section("global");
  for (const char* line : kGlobal) lines.add(line);
  lines.add(
      fmt::format("stats socket unix@{} mode 600 level admin expose-fd listeners", kAdminSocket));
  for (const auto& [name, backend] : traffic.backends)
    if (backend.http) lines.add(fmt::format("set-var {} int(0)", latency_variable(name)));
  lines.section("defaults");
  for (const char* line : kDefaults) lines.add(line);
}

void render_backend(const std::string& name, const Backend& backend, Lines& lines) {
  lines.section("backend " + name);
  if (backend.http) {
    const std::string sum = latency_variable(name);
    lines.add("mode http");
    // A connection that a server closed just as it was asked again: only what may be asked twice.
    lines.add("retry-on conn-failure empty-response");
    lines.add("http-request disable-l7-retry unless METH_GET");
    lines.add(
        "http-request set-timeout server var(txn.patience) if { var(txn.patience) -m found }");
    lines.add("http-request set-var(txn.began) date(0,us)");
    lines.add("http-after-response set-var(txn.took) date(0,us),sub(txn.began)");
    lines.add(fmt::format("http-after-response set-var({0}) var({0}),add(txn.took)", sum));
  }
  for (const Server& server : backend.servers)
    lines.add(fmt::format("server {0} {0}", server_name(server)));
}

}  // namespace

void Lines::section(const std::string& title) {
  out_.config += title + "\n";
  ++count_;
}

void Lines::add(const std::string& line) { section("  " + line); }

void Lines::add_of(const store::Key& route, const std::string& line) {
  add(line);
  out_.routes[count_] = route;
}

std::string render_cuts(const Rule& rule) {
  std::int64_t total = 0;
  for (const Choice& choice : rule.choices) total += std::max<std::int64_t>(0, choice.weight);
  std::string cuts;
  std::int64_t sum = 0;
  for (const Choice& choice : rule.choices) {
    sum += std::max<std::int64_t>(0, choice.weight);
    if (!cuts.empty()) cuts += ':';
    cuts += std::to_string(total == 0 ? 0 : (2 * sum * kDraws + total) / (2 * total));
  }
  return cuts;
}

Rendered render(const Traffic& traffic) {
  Rendered out;
  Lines lines(out);
  render_head(traffic, lines);
  for (const Listener& listener : traffic.listeners) render_listener(listener, traffic, lines);
  for (const auto& [name, backend] : traffic.backends) render_backend(name, backend, lines);
  for (const auto& [name, rule] : traffic.rules)
    if (!rule.choices.empty()) out.weights += fmt::format("{} {}\n", name, render_cuts(rule));
  return out;
}

}  // namespace slipway::runtime::traffic
