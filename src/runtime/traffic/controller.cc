#include "runtime/traffic/controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "base/log.h"
#include "runtime/services/endpoint_slices.h"
#include "store/decode.h"

namespace slipway::runtime::traffic {

namespace {

using control::EventKind;

const api::Gvr kNamespaces{"", "v1", "namespaces"};
constexpr int kMaxRounds = 20;  // of routes that the proxy does not take

}  // namespace

TrafficController::TrafficController(control::Manager& manager, control::Recorder& recorder,
                                     Pool& pool, std::string folder)
    : manager_(manager),
      recorder_(recorder),
      pool_(pool),
      loop_(manager.loop()),
      proxy_(manager.loop(), pool, std::move(folder), [this] { proxy_died(); }),
      changed_(manager.loop()) {
  terms_.first_open_port = first_open_port();
  subscribe();
  manager.add_job([this](std::stop_token stop) { return run(std::move(stop)); });
}

template <class View>
void TrafficController::follow(const api::Gvr& kind, std::map<store::Key, View> Sources::* part,
                               View (*read)(const json::Object&)) {
  manager_.cache(kind).on_change(
      [this, part, read](const store::Item* before, const store::Item* after) {
        if (!after) {
          (sources_.*part).erase(before->key);
        } else if (auto object = store::decode(*after)) {
          (sources_.*part)[after->key] = read(*object);
        }
        wake();
      });
}

void TrafficController::subscribe() {
  follow(kServices, &Sources::services, &view_service);
  follow(kEndpointSlices, &Sources::slices, &view_slice);
  follow(kHttpRoutes, &Sources::routes, &view_route);
  manager_.cache(kServices).on_change([this](const store::Item* before, const store::Item* after) {
    if (!after) said_.erase(before->key);
  });
  manager_.cache(kGateways).on_change([this](const store::Item* before, const store::Item* after) {
    if (!after) {
      const auto gone = sources_.gateways.extract(before->key);
      if (!gone.empty()) addresses_.release(gone.mapped().uid);
      said_of_gateways_.erase(before->key);
    } else if (auto object = store::decode(*after)) {
      GatewayView view = view_gateway(*object);
      // Two that say the same address: the second gets another.
      if (!view.address.empty() && !addresses_.hold(view.uid, view.address)) view.address.clear();
      sources_.gateways[after->key] = std::move(view);
    }
    wake();
  });
  manager_.cache(kNamespaces)
      .on_change([this](const store::Item* before, const store::Item* after) {
        if (!after) {
          sources_.namespaces.erase(before->key.name);
        } else if (auto object = store::decode(*after)) {
          sources_.namespaces[after->key.name] = api::labels_of(*object);
        }
        wake();
      });
}

void TrafficController::wake() {
  dirty_ = true;
  changed_.notify_all();
}

void TrafficController::proxy_died() {
  log::warning("traffic", "the proxy has ended; starting it again");
  tell_node(EventKind::kWarning, "ProxyDied", "HAProxy has ended and is started again");
  loaded_ = false;
  ++counts_.restarts;
  wake();
}

void TrafficController::tell_node(EventKind kind, std::string reason, std::string message) {
  const json::Object node{{"apiVersion", "v1"},
                          {"kind", "Node"},
                          {"metadata", json::Object{{"name", "slipway"}, {"uid", "slipway"}}}};
  recorder_.record(node, kind, std::move(reason), std::move(message));
}

// Zero: at once.
Duration TrafficController::until_next() const {
  constexpr Duration kNever = std::chrono::hours(24);
  const Duration now = loop_.clock().uptime();
  Duration wait = kNever;
  if (proxy_.counts()) wait = std::min(wait, read_at_ + kReadInterval - now);
  if (again_at_) wait = std::min(wait, *again_at_ - now);
  return std::max(wait, Duration::zero());
}

Task<> TrafficController::run(std::stop_token stop) {
  for (const api::Gvr& kind : {kServices, kEndpointSlices, kHttpRoutes, kGateways, kNamespaces})
    co_await manager_.cache(kind).wait_synced(stop);
  if (stop.stop_requested()) co_return;
  if (co_await proxy_.adopt()) log::info("traffic", "the proxy of before runs on");
  while (!stop.stop_requested()) {
    const Duration now = loop_.clock().uptime();
    if (again_at_ && now >= *again_at_) {
      again_at_.reset();
      terms_.taken.clear();
      dirty_ = true;
    }
    if (std::exchange(dirty_, false)) {
      if (auto done = co_await bring_in_line(stop); !done && !stop.stop_requested()) {
        log::warning("traffic", "{}", done.error().text());
        tell_node(EventKind::kWarning, "TrafficFailed", done.error().text());
        again_at_ = loop_.clock().uptime() + kTryAgain;
      }
    }
    if (proxy_.counts() && loop_.clock().uptime() >= read_at_ + kReadInterval) {
      read_at_ = loop_.clock().uptime();
      co_await proxy_.read_counters(ledger_);
    }
    if (!dirty_) co_await changed_.wait(until_next(), stop);
  }
}

void TrafficController::stop(bool end_proxy) {
  if (end_proxy) proxy_.end();
}

void TrafficController::give_addresses() {
  for (auto& [key, gateway] : sources_.gateways)
    if (gateway.address.empty() && !gateway.deleting)
      gateway.address = addresses_.take(gateway.uid);
}

Resolved TrafficController::look() {
  give_addresses();
  std::erase_if(refused_at_, [this](const auto& refused) {
    const auto route = sources_.routes.find(refused.first);
    const bool over = route == sources_.routes.end() || route->second.version != refused.second;
    if (over) terms_.refused_routes.erase(refused.first);
    return over;
  });
  return resolve(sources_, terms_);
}

Task<Result<>> TrafficController::bring_in_line(std::stop_token stop) {
  for (const auto& [service, counters] : Reading(ledger_.totals()))
    if (!sources_.services.contains(service)) ledger_.forget_service(service);
  Result<Outcome> outcome = Outcome::kRefused;
  Resolved resolved = look();
  for (int round = 0; round < kMaxRounds; ++round) {
    co_await find_taken_ports(resolved);
    outcome = co_await apply(resolved, stop);
    if (!outcome || *outcome != Outcome::kRefused) break;
    resolved = look();
  }
  if (outcome && *outcome == Outcome::kOvertaken) co_return Result<>();
  if (outcome && *outcome == Outcome::kRefused) wake();  // there are more of them
  co_await write_statuses(resolved);
  if (!outcome) co_return std::unexpected(std::move(outcome).error());
  co_return Result<>();
}

Task<> TrafficController::find_taken_ports(Resolved& resolved) {
  std::vector<Listener> fresh;
  for (const Listener& listener : resolved.traffic.listeners) {
    const auto known =
        std::ranges::find(applied_.traffic.listeners, listener.name, &Listener::name);
    const bool listens = loaded_ && known != applied_.traffic.listeners.end() &&
                         known->address == listener.address && known->port == listener.port;
    if (!listens) fresh.push_back(listener);
  }
  if (!fresh.empty()) {
    const auto taken =
        co_await blocking(loop_, pool_, [fresh = std::move(fresh)] { return find_taken(fresh); });
    for (const auto& [listener, why] : taken) terms_.taken[listener] = why;
    if (!taken.empty()) resolved = look();
  }
  // Who has the port may give it up.
  if (!terms_.taken.empty() && !again_at_) again_at_ = loop_.clock().uptime() + kTryAgain;
}

Task<Result<TrafficController::Outcome>> TrafficController::apply(const Resolved& wanted,
                                                                  std::stop_token stop) {
  if (wanted.traffic.listeners.empty()) {
    // It goes on when the server ends, so one that nobody needs would never end.
    proxy_.end();
    loaded_ = false;
    co_return Outcome::kDone;
  }
  if (!loaded_ || !proxy_.running()) co_return co_await reload(wanted, stop);
  Change change = difference(applied_, wanted.traffic);
  if (!change.reload) {
    if (co_await tell(std::move(change), wanted.traffic)) co_return Outcome::kDone;
    co_return co_await reload(wanted, stop);
  }
  // Pods and weights do not wait for the rest, which may fail.
  Traffic some = without_reload(applied_.traffic, wanted.traffic);
  change = difference(applied_, some);
  if (!change.reload) co_await tell(std::move(change), std::move(some));
  co_return co_await reload(wanted, stop);
}

Task<bool> TrafficController::tell(Change change, Traffic afterwards) {
  if (!change.commands.empty()) {
    auto forgotten = co_await proxy_.change(std::move(change.commands));
    if (!forgotten) {
      log::warning("traffic", "{}", forgotten.error().text());
      loaded_ = false;  // some of it may have been done
      co_return false;
    }
    for (const auto& server : *forgotten) change.parked.erase(server);
    ++counts_.changes;
  }
  applied_ = {.traffic = std::move(afterwards), .parked = std::move(change.parked)};
  co_return true;
}

Task<Result<TrafficController::Outcome>> TrafficController::reload(const Resolved& wanted,
                                                                   std::stop_token stop) {
  if (reloaded_at_ && proxy_.running()) {
    const Duration wait = *reloaded_at_ + kReloadPace - loop_.clock().uptime();
    if (wait > Duration::zero()) {
      if (!co_await sleep_for(loop_, wait, stop)) co_return fail(ErrorCode::kCancelled, "stopped");
      // What came meanwhile is to be part of it.
      if (dirty_) co_return Outcome::kOvertaken;
    }
  }
  // What the one before has counted is read while it is still there.
  if (proxy_.running()) co_await proxy_.read_counters(ledger_);
  const Rendered rendered = render(wanted.traffic);
  auto findings = co_await proxy_.load(rendered);
  // Nothing was replaced, so the next one need not wait.
  if (findings && refuse_routes(wanted, rendered, *findings)) co_return Outcome::kRefused;
  reloaded_at_ = loop_.clock().uptime();
  if (!findings) co_return std::unexpected(std::move(findings).error());
  if (!findings->empty())
    co_return fail(ErrorCode::kInternal,
                   "the proxy does not take its configuration: " + findings->front().text);
  ++counts_.reloads;
  applied_ = {.traffic = wanted.traffic};
  loaded_ = true;
  co_return Outcome::kDone;
}

bool TrafficController::refuse_routes(const Resolved& resolved, const Rendered& rendered,
                                      const std::vector<Finding>& findings) {
  bool any = false;
  for (const Finding& finding : findings) {
    const auto route = rendered.routes.find(finding.line);
    if (route == rendered.routes.end()) continue;
    terms_.refused_routes.emplace(route->second, "the proxy does not take it: " + finding.text);
    // As it was read: it may be another one by now.
    refused_at_[route->second] = resolved.versions.at(route->second);
    any = true;
  }
  return any;
}

}  // namespace slipway::runtime::traffic
