#include "rollout/strategy/services.h"

#include <fmt/format.h>

#include <algorithm>

namespace slipway::rollout {

namespace {

bool has_traffic(const Draft& draft, const std::string& service) {
  const auto& weights = draft.before.canary.weights;
  if (!weights) return false;
  for (const argo::WeightDestination* one : {&weights->canary, &weights->stable})
    if (one->service_name == service && one->weight > 0) return true;
  return false;
}

}  // namespace

ServiceNames service_names(const argo::Rollout& rollout) {
  const argo::CanaryStrategy& canary = *rollout.spec.strategy.canary;
  if (!canary.ping_pong) return {canary.stable_service, canary.canary_service};
  const auto& [ping, pong] = *canary.ping_pong;
  const bool stable_is_ping = rollout.status.canary.stable_ping_pong == "ping";
  return stable_is_ping ? ServiceNames{ping, pong} : ServiceNames{pong, ping};
}

std::vector<std::string> referred_services(const argo::RolloutSpec& spec) {
  std::vector<std::string> names;
  if (const auto& canary = spec.strategy.canary) {
    names = {canary->stable_service, canary->canary_service};
    if (canary->ping_pong) {
      names.push_back(canary->ping_pong->ping_service);
      names.push_back(canary->ping_pong->pong_service);
    }
  }
  if (const auto& blue_green = spec.strategy.blue_green) {
    names.push_back(blue_green->active_service);
    names.push_back(blue_green->preview_service);
  }
  std::erase(names, std::string());
  return names;
}

void switch_service(Draft& draft, const Service& service, const std::string& hash) {
  if (service.hash() == hash && !service.managed_by.empty()) return;
  draft.act(SwitchService{.name = service.name, .hash = hash, .claims = service.managed_by.empty()},
            Happening{.reason = "SwitchService",
                      .message = fmt::format("Switched selector for service '{}' from '{}' to '{}'",
                                             service.name, service.hash(), hash)});
}

void point_service(Draft& draft, const std::string& name, const ReplicaSet* set, bool checks) {
  const Service* service = find_service(draft.seen, name);
  if (!set || !service || service->hash() == set->hash) return;
  // One that nobody managed so far has all of its traffic from Pods of other origin: only a full
  // set can take that over.
  if (checks && service->managed_by.empty() && !is_fully_available(*set)) return;
  // Where no Pods are wanted there will be none to wait for, and what is selected now must go.
  if (checks && certain_of(*set) == 0 && replicas_of(draft.rollout.spec) > 0) return;
  switch_service(draft, *service, set->hash);
}

void decide_canary_services(Draft& draft) {
  const argo::CanaryStrategy& canary = *draft.rollout.spec.strategy.canary;
  const Sets& sets = draft.sets;
  if (canary.ping_pong) {
    // At the end of an update they stay where they are: the roles swap instead. Traffic of an
    // update that was given up leaves before its Service turns to a set that has no Pods yet.
    const std::string canary_service = service_names(draft.rollout).canary;
    const bool can_serve = sets.latest && certain_of(*sets.latest) > 0;
    if (!is_fully_promoted(draft.before) && (can_serve || !has_traffic(draft, canary_service)))
      point_service(draft, canary_service, sets.latest, false);
    if (draft.before.stable_rs.empty())
      point_service(draft, service_names(draft.rollout).stable, sets.latest, false);
    return;
  }
  point_service(draft, canary.stable_service, sets.stable, true);
  if (draft.is_aborted() && !canary.traffic_routing) {
    point_service(draft, canary.canary_service, sets.stable, true);
    return;
  }
  if (draft.is_aborted() && canary.traffic_routing) return;  // with the traffic: see traffic.h
  if (!dynamic_rollback_hash(draft).empty()) return;
  point_service(draft, canary.canary_service, sets.latest, true);
}

std::string dynamic_rollback_hash(const Draft& draft) {
  const auto& weights = draft.before.canary.weights;
  if (!is_fully_promoted(draft.before) || !is_dynamic(draft.rollout.spec) || !weights) return {};
  const ReplicaSet* latest = draft.sets.latest;
  if (!latest || weights->canary.pod_template_hash == latest->hash) return {};
  if (certain_of(*latest) >= replicas_of(draft.rollout.spec)) return {};
  return weights->canary.pod_template_hash;
}

bool is_referenced(const Draft& draft, const ReplicaSet& set) {
  if (set.hash.empty()) return false;
  const argo::RolloutStatus& before = draft.before;
  std::vector<std::string> hashes = {before.stable_rs, before.current_pod_hash};
  // What the status says of another strategy is of days gone by.
  if (is_blue_green(draft.rollout.spec)) {
    hashes.push_back(before.blue_green.active_selector);
    hashes.push_back(before.blue_green.preview_selector);
  } else if (const auto& weights = before.canary.weights) {
    hashes.push_back(weights->canary.pod_template_hash);
    hashes.push_back(weights->stable.pod_template_hash);
  }
  // Of ping and pong, the one that idles selects the set before: nobody asks it for anything.
  const auto& canary = draft.rollout.spec.strategy.canary;
  const bool takes_turns = canary && canary->ping_pong;
  const auto names =
      takes_turns ? std::vector<std::string>() : referred_services(draft.rollout.spec);
  for (const std::string& name : names)
    if (const Service* service = find_service(draft.seen, name)) hashes.push_back(service->hash());
  return std::ranges::find(hashes, set.hash) != hashes.end();
}

}  // namespace slipway::rollout
