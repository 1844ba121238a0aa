#include "rollout/shell/claims.h"

#include <algorithm>
#include <tuple>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "api/rules/argo_rules.h"
#include "api/schema/codec.h"
#include "rollout/objects/fields.h"
#include "rollout/routers/router.h"
#include "rollout/shell/gather.h"
#include "store/decode.h"

namespace slipway::rollout {

namespace {

// As written: a Rollout that cannot be understood otherwise refers to its Services, too.
std::set<std::string> services_in(const json::Value& rollout) {
  std::set<std::string> names;
  const auto add = [&](FieldPath path) { names.emplace(json::string_at(rollout, path)); };
  add({"spec", "strategy", "canary", "stableService"});
  add({"spec", "strategy", "canary", "canaryService"});
  add({"spec", "strategy", "canary", "pingPong", "pingService"});
  add({"spec", "strategy", "canary", "pingPong", "pongService"});
  add({"spec", "strategy", "blueGreen", "activeService"});
  add({"spec", "strategy", "blueGreen", "previewService"});
  names.erase(std::string());
  return names;
}

// By its spec alone. Whatever else is wrong may depend on who has the Service, and would lead
// around in circles.
bool is_able(const json::Value& document) {
  auto rollout = api::decode<argo::Rollout>(document);
  if (!rollout) return false;
  if (rollout->spec.workload_ref) rollout->spec.template_ = {};  // it is the workload's
  api::Findings findings;
  api::argo::validate_rollout(*rollout, findings);
  return findings.empty() && !unsupported_in(rollout->spec, Routers::kAsWritten);
}

Claims::Wish wish_of(const json::Value& rollout) {
  std::set<std::string> services = services_in(rollout);
  const bool competes = !services.empty();
  return {.services = std::move(services),
          .is_able = competes && is_able(rollout),
          .created = time_at(rollout, {"metadata", "creationTimestamp"}).value_or(Time())};
}

std::string manager_in(const store::Item& service) {
  // Most are nobody's: they are not even read.
  if (service.bytes->find(argo::kManagedBy) == std::string::npos) return {};
  const auto document = store::decode(service);
  return document ? std::string(api::annotation_of(*document, argo::kManagedBy)) : std::string();
}

}  // namespace

std::set<store::Key> Claims::want(const store::Key& rollout, Wish wish) {
  std::set<store::Key> concerned;
  const auto known = wishes_.find(rollout);
  const Wish before = known == wishes_.end() ? Wish() : known->second.wish;
  if (before == wish || (before.services.empty() && wish.services.empty())) return concerned;
  for (const auto* names : {&before.services, &std::as_const(wish.services)})
    for (const std::string& name : *names) {
      auto& rollouts = wanted_by_[{rollout.ns, name}];
      concerned.insert(rollouts.begin(), rollouts.end());
      if (wish.services.contains(name))
        rollouts.insert(rollout);
      else
        rollouts.erase(rollout);
      if (rollouts.empty()) wanted_by_.erase({rollout.ns, name});
    }
  concerned.erase(rollout);
  if (wish.services.empty()) {
    wishes_.erase(rollout);
    return concerned;
  }
  Kept& kept = wishes_[rollout];
  if (kept.turn == 0) kept.turn = ++turns_;
  kept.wish = std::move(wish);
  return concerned;
}

void Claims::manage(const store::Key& service, const std::string& rollout) {
  const auto known = managers_.find(service);
  if (known != managers_.end()) {
    if (known->second == rollout) return;
    auto& services = managed_[{service.ns, known->second}];
    services.erase(service.name);
    if (services.empty()) managed_.erase({service.ns, known->second});
    managers_.erase(known);
  }
  if (rollout.empty()) return;
  managers_[service] = rollout;
  managed_[{service.ns, rollout}].insert(service.name);
}

std::string Claims::holder(const store::Key& service) const {
  const auto wanted = wanted_by_.find(service);
  if (wanted == wanted_by_.end()) return {};
  const auto manager = managers_.find(service);
  if (manager != managers_.end() && wanted->second.contains({service.ns, manager->second}))
    return manager->second;
  const auto rank = [this](const store::Key& rollout) {
    const Kept& kept = wishes_.at(rollout);
    return std::tuple(!kept.wish.is_able, kept.wish.created, kept.turn);
  };
  return std::ranges::min(wanted->second, {}, rank).name;
}

std::vector<std::string> Claims::abandoned(const store::Key& rollout) const {
  std::vector<std::string> names;
  const auto managed = managed_.find(rollout);
  if (managed == managed_.end()) return names;
  const auto wish = wishes_.find(rollout);
  for (const std::string& service : managed->second)
    if (wish == wishes_.end() || !wish->second.wish.services.contains(service))
      names.push_back(service);
  return names;
}

void follow_claims(control::Manager& manager, Claims& claims, control::BringUp bring_up) {
  manager.cache(kRollouts).on_change(
      [&claims, bring_up](const store::Item* before, const store::Item* after) {
        Claims::Wish wish;
        if (auto document = after ? store::decode(*after) : Result<json::Object>(json::Object()))
          wish = wish_of(json::Value(std::move(*document)));
        const store::Key& key = (after ? after : before)->key;
        for (const store::Key& one : claims.want(key, std::move(wish))) bring_up(one);
      });
  manager.cache(kServices).on_change(
      [&claims, bring_up](const store::Item* before, const store::Item* after) {
        const store::Key& key = (after ? after : before)->key;
        const std::string name = after ? manager_in(*after) : std::string();
        claims.manage(key, name);
        // One whose Rollout went while nobody looked.
        if (!name.empty() && !claims.abandoned({key.ns, name}).empty()) bring_up({key.ns, name});
      });
}

}  // namespace slipway::rollout
