#include <fmt/format.h>

#include "api/object.h"
#include "async/wait_all.h"
#include "base/log.h"
#include "runtime/traffic/controller.h"
#include "runtime/traffic/status.h"
#include "store/decode.h"

namespace slipway::runtime::traffic {

namespace {

using control::EventKind;

// Statuses of routes that share a commit.
constexpr std::size_t kAtOnce = 100;

json::Object with_version(const json::Object& object, json::Object patch) {
  api::metadata_of(patch)["resourceVersion"] = std::to_string(api::version_of(object));
  return patch;
}

// A conflict is a change that is on its way to us.
void note_failure(const store::Key& key, const Result<store::Item>& written) {
  if (written || written.error().code == ErrorCode::kConflict ||
      written.error().code == ErrorCode::kNotFound)
    return;
  log::warning("traffic", "the status of {}/{} cannot be written: {}", key.ns, key.name,
               written.error().text());
}

}  // namespace

Task<> TrafficController::write_statuses(const Resolved& resolved) {
  for (const auto& [key, verdicts] : resolved.gateways) co_await write_gateway(key, verdicts);
  co_await write_routes(resolved);
  std::vector<store::Key> services;
  for (const auto& [key, service] : sources_.services) services.push_back(key);
  for (const store::Key& key : services) co_await write_service(key, resolved);
}

Task<> TrafficController::write_routes(const Resolved& resolved) {
  for (auto route = resolved.routes.begin(); route != resolved.routes.end();) {
    std::vector<store::Key> keys;
    std::vector<Task<Result<store::Item>>> writes;
    for (; route != resolved.routes.end() && writes.size() < kAtOnce; ++route) {
      auto patch = judge_route(route->first, resolved);
      if (!patch) continue;
      keys.push_back(route->first);
      writes.push_back(manager_.store().patch(
          kHttpRoutes, route->first, {.body = std::move(*patch)}, {.subresource = "status"}));
    }
    const auto written = co_await wait_all(loop_, std::move(writes));
    for (std::size_t i = 0; i < keys.size(); ++i) note_failure(keys[i], written[i]);
  }
}

std::optional<json::Object> TrafficController::judge_route(const store::Key& key,
                                                           const Resolved& resolved) {
  const store::Item* item = manager_.cache(kHttpRoutes).get(key);
  if (!item) return std::nullopt;
  const auto route = store::decode(*item);
  // What has changed since is not in effect yet; it brings us here again.
  if (!route || version_of_route(*route) != resolved.versions.at(key)) return std::nullopt;
  const std::vector<ParentVerdict>& verdicts = resolved.routes.at(key);
  auto parents = decide_parents(*route, verdicts, loop_.clock().now());
  if (!parents) return std::nullopt;
  for (const ParentVerdict& verdict : verdicts)
    for (const Verdict* wrong : {&verdict.accepted, &verdict.resolved})
      if (!wrong->holds)
        recorder_.record(*route, EventKind::kWarning, wrong->reason, wrong->message);
  json::Object patch{{"status", json::Object{{"parents", std::move(*parents)}}}};
  return with_version(*route, std::move(patch));
}

Task<> TrafficController::write_gateway(store::Key key,
                                        const std::vector<ListenerVerdict>& verdicts) {
  const store::Item* item = manager_.cache(kGateways).get(key);
  const auto known = sources_.gateways.find(key);
  if (!item || known == sources_.gateways.end() || known->second.address.empty()) co_return;
  const auto gateway = store::decode(*item);
  if (!gateway) co_return;
  const std::string silent = silent_listeners(verdicts);
  if (std::exchange(said_of_gateways_[key], silent) != silent && !silent.empty())
    recorder_.record(*gateway, EventKind::kWarning, "NotListening", silent);
  auto status =
      decide_gateway_status(*gateway, known->second.address, verdicts, loop_.clock().now());
  if (!status) co_return;
  json::Object patch{{"status", std::move(*status)}};
  note_failure(key, co_await manager_.store().patch(
                        kGateways, key, {.body = with_version(*gateway, std::move(patch))},
                        {.subresource = "status"}));
}

Task<> TrafficController::write_service(store::Key key, const Resolved& resolved) {
  const auto shifted = resolved.shifted.find(key);
  const std::string wanted =
      shifted == resolved.shifted.end() ? "" : render_shifted(shifted->second);
  std::string silent;
  if (const auto found = resolved.silent.find(key); found != resolved.silent.end())
    for (const std::string& why : found->second) silent += (silent.empty() ? "" : "; ") + why;
  const auto said = said_.find(key);
  const bool news = silent != (said == said_.end() ? "" : said->second);
  const store::Item* item = manager_.cache(kServices).get(key);
  if (!item) {
    said_.erase(key);
    co_return;
  }
  // Most Services have nothing to be said about: they are not even read.
  const bool annotated = item->bytes->find(kListensAt) != std::string::npos;
  const bool judged = item->bytes->find(kListening) != std::string::npos;
  if (!news && silent.empty() && wanted.empty() && !annotated && !judged) co_return;
  const auto service = store::decode(*item);
  if (!service) co_return;
  if (news) {
    said_[key] = silent;
    if (!silent.empty()) recorder_.record(*service, EventKind::kWarning, "NotListening", silent);
  }
  if (auto conditions = decide_service_conditions(*service, silent, loop_.clock().now())) {
    json::Object patch{{"status", json::Object{{"conditions", std::move(*conditions)}}}};
    note_failure(key, co_await manager_.store().patch(
                          kServices, key, {.body = with_version(*service, std::move(patch))},
                          {.subresource = "status"}));
    co_return;  // the change brings it here again, for the rest
  }
  if (api::annotation_of(*service, kListensAt) == wanted) co_return;
  json::Object annotations;
  if (wanted.empty())
    annotations[kListensAt] = nullptr;
  else
    annotations[kListensAt] = wanted;
  if (!wanted.empty())
    recorder_.record(*service, EventKind::kNormal, "PortShifted",
                     "ports below the unprivileged limit are listened at elsewhere: " + wanted);
  json::Object patch{{"metadata", json::Object{{"annotations", std::move(annotations)}}}};
  note_failure(key, co_await manager_.store().patch(
                        kServices, key, {.body = with_version(*service, std::move(patch))}, {}));
}

}  // namespace slipway::runtime::traffic
