#include "rollout/strategy/affinity.h"

#include "api/kinds/argo_names.h"

namespace slipway::rollout {

namespace {

const argo::AntiAffinity* wanted(const argo::RolloutSpec& spec) {
  const auto& [blue_green, canary] = spec.strategy;
  if (canary && canary->anti_affinity) return &*canary->anti_affinity;
  return blue_green && blue_green->anti_affinity ? &*blue_green->anti_affinity : nullptr;
}

json::Object term(const std::string& stable_hash, const std::string& ns) {
  json::Object expression{{"key", argo::kHashLabel},
                          {"operator", "In"},
                          {"values", json::Array{json::Value(stable_hash)}}};
  return {{"labelSelector", json::Object{{"matchExpressions", json::Array{std::move(expression)}}}},
          {"namespaces", json::Array{json::Value(ns)}},
          {"topologyKey", "kubernetes.io/hostname"}};
}

void append(json::Object& affinity, std::string_view list, json::Object rule) {
  json::Value& rules = affinity[list];
  if (!rules.is_array()) rules = json::Array{};
  rules.get_array().push_back(std::move(rule));
}

const json::Value& affinity_in(const json::Value& pod_template) {
  static const json::Value kNone = nullptr;
  const json::Value* found = json::at(pod_template, {"spec", "affinity"});
  return found ? *found : kNone;
}

}  // namespace

void add_affinity(const argo::Rollout& rollout, const std::string& hash, const std::string& ns,
                  json::Value& pod_template) {
  const argo::AntiAffinity* rule = wanted(rollout.spec);
  const std::string& stable = rollout.status.stable_rs;
  if (!rule || stable.empty() || stable == hash) return;
  json::Object& affinity = json::object_at(pod_template, {"spec", "affinity", "podAntiAffinity"});
  if (const auto& preferred = rule->preferred_during_scheduling_ignored_during_execution)
    append(affinity, "preferredDuringSchedulingIgnoredDuringExecution",
           {{"weight", preferred->weight}, {"podAffinityTerm", term(stable, ns)}});
  else if (rule->required_during_scheduling_ignored_during_execution)
    append(affinity, "requiredDuringSchedulingIgnoredDuringExecution", term(stable, ns));
}

json::Value affinity_patch(const argo::Rollout& rollout, const ReplicaSet& set,
                           const std::string& ns) {
  if (!wanted(rollout.spec)) return nullptr;
  json::Value want = rollout.spec.template_.value;
  add_affinity(rollout, set.hash, ns, want);
  const json::Value* there = json::at(set.document, {"spec", "template"});
  if (there && json::same(affinity_in(want), affinity_in(*there))) return nullptr;
  return json::Object{{"spec", json::Object{{"affinity", affinity_in(want)}}}};
}

}  // namespace slipway::rollout
