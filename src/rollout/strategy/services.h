#pragma once

#include "rollout/draft.h"

// Which set each Service of a Rollout selects. Pure.
namespace slipway::rollout {

// The Services that stand for stable and canary now: with ping-pong they swap at each promotion.
struct ServiceNames {
  std::string stable = {}, canary = {};
};
ServiceNames service_names(const argo::Rollout& rollout);

// The names of all Services that the strategy knows.
std::vector<std::string> referred_services(const argo::RolloutSpec& spec);

// Points the stable and the canary Service at their sets, those that can serve.
void decide_canary_services(Draft& draft);
// Points a Service at a set; without `checks`, whether or not its Pods are there.
void point_service(Draft& draft, const std::string& name, const ReplicaSet* set, bool checks);
// Switches the selector if it is another.
void switch_service(Draft& draft, const Service& service, const std::string& hash);

// The stable set is wanted again but cannot take all traffic yet: the hash of the canary before;
// else empty.
std::string dynamic_rollback_hash(const Draft& draft);

// Something still sends traffic to the set.
bool is_referenced(const Draft& draft, const ReplicaSet& set);

}  // namespace slipway::rollout
