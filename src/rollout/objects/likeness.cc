#include "rollout/objects/likeness.h"

#include "api/kinds/argo_names.h"
#include "api/template_hash.h"
#include "rollout/objects/fields.h"

namespace slipway::rollout {

namespace {

bool injects_affinity(const argo::RolloutSpec& spec) {
  const auto& [blue_green, canary] = spec.strategy;
  return (canary && canary->anti_affinity) || (blue_green && blue_green->anti_affinity);
}

void take_out(json::Value& pod_template, std::string_view member, const json::Value& injected) {
  json::Value* map = json::at(pod_template, {"metadata", member});
  const json::Value* ours = json::at(injected, {member});
  if (!map || !map->is_object() || !ours || !ours->is_object()) return;
  for (const auto& [key, value] : ours->get_object()) json::erase(map->get_object(), key);
}

}  // namespace

bool has_template(const json::Value& set, const argo::Rollout& rollout) {
  const json::Value* found = json::at(set, {"spec", "template"});
  const json::Value& wanted = rollout.spec.template_.value;
  if (!found || !found->is_object() || !wanted.is_object()) return false;
  json::Value there = *found;
  json::Value want = wanted;
  if (const auto injected =
          json::read(json::string_at(set, {"metadata", "annotations", argo::kEphemeralMetadata}))) {
    take_out(there, "labels", *injected);
    take_out(there, "annotations", *injected);
  }
  if (injects_affinity(rollout.spec))
    for (json::Value* one : {&there, &want})
      if (json::Value* spec = json::at(*one, {"spec"}); spec && spec->is_object())
        json::erase(spec->get_object(), "affinity");
  return api::same_template(there.get_object(), want.get_object());
}

const ReplicaSet* find_alike(const std::vector<ReplicaSet>& sets, const argo::Rollout& rollout) {
  const ReplicaSet* best = nullptr;
  for (const ReplicaSet& set : sets)
    if (!set.is_deleting && !set.hash.empty() && has_template(set.document, rollout) &&
        (!best || best->revision() < set.revision()))
      best = &set;
  return best;
}

}  // namespace slipway::rollout
