#include "rollout/strategy/revisions.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "rollout/objects/fields.h"
#include "rollout/strategy/affinity.h"
#include "rollout/strategy/metadata.h"

namespace slipway::rollout {

namespace {

constexpr std::string_view kNotCopied[] = {"kubectl.kubernetes.io/last-applied-configuration",
                                           argo::kRevision,
                                           argo::kRevisionHistory,
                                           argo::kDesiredReplicas,
                                           argo::kWasStable,
                                           "notified.notifications.argoproj.io",
                                           argo::kWorkloadGeneration};
// Numbers a set once had, that its annotation keeps.
constexpr std::size_t kMaxRevisionHistory = 2000;

std::int64_t next_revision(const Draft& draft) {
  std::int64_t most = 0;
  for (const ReplicaSet* set : draft.sets.all_but_latest()) most = std::max(most, set->revision());
  return most + 1;
}

TextChanges copied_annotations(const Draft& draft,
                               const std::map<std::string, std::string>& there) {
  TextChanges changes;
  for (const auto& [key, value] : texts_at(draft.seen.document, {"metadata", "annotations"})) {
    if (std::ranges::find(kNotCopied, key) != std::end(kNotCopied)) continue;
    const auto found = there.find(key);
    if (found == there.end() || found->second != value) changes[key] = value;
  }
  return changes;
}

std::string history_with(const ReplicaSet& set) {
  const auto found = set.annotations.find(std::string(argo::kRevisionHistory));
  std::string history = found == set.annotations.end() ? std::string() : found->second;
  if (history.size() > kMaxRevisionHistory)
    history.erase(0, history.find(',', history.size() - kMaxRevisionHistory) + 1);
  if (!history.empty()) history += ",";
  return history + std::to_string(set.revision());
}

void update_latest(Draft& draft) {
  const ReplicaSet& set = *draft.sets.latest;
  ChangeSet change{.name = set.name, .uid = set.uid};
  change.annotations = copied_annotations(draft, set.annotations);
  draft.revision = std::max(set.revision(), next_revision(draft));
  if (draft.revision != set.revision()) {
    change.annotations[std::string(argo::kRevision)] = std::to_string(draft.revision);
    if (set.revision() > 0)
      change.annotations[std::string(argo::kRevisionHistory)] = history_with(set);
  }
  if (set.min_ready_seconds != draft.rollout.spec.min_ready_seconds)
    change.min_ready_seconds = draft.rollout.spec.min_ready_seconds;
  change.pod_template = affinity_patch(draft.rollout, set, draft.seen.ns());
  if (!change.annotations.empty() || change.min_ready_seconds || !change.pod_template.is_null())
    draft.act(std::move(change));
}

// Noted before another set can become the stable one: a quick way back leads only to what was
// good enough once.
void mark_stable(Draft& draft) {
  const argo::RolloutSpec& spec = draft.rollout.spec;
  const ReplicaSet* stable = draft.sets.stable;
  if (!stable || stable->was_stable() || (!is_blue_green(spec) && !spec.rollback_window)) return;
  ChangeSet change{.name = stable->name, .uid = stable->uid};
  change.annotations[std::string(argo::kWasStable)] = "true";
  draft.act(std::move(change));
}

void annotate_rollout(Draft& draft) {
  const std::string revision = std::to_string(draft.revision);
  TextChanges changes;
  const auto want = [&](std::string_view key, const std::string& value) {
    if (api::annotation_of(draft.seen.document.get_object(), key) != value)
      changes[std::string(key)] = value;
  };
  want(argo::kRevision, revision);
  const bool updates = !changes.empty();
  if (!draft.seen.workload_generation.empty())
    want(argo::kWorkloadGeneration, draft.seen.workload_generation);
  if (changes.empty()) return;
  std::optional<Happening> says;
  if (updates)
    says = {.reason = "RolloutUpdated",
            .message = fmt::format("Rollout updated to revision {}", revision)};
  draft.act(ChangeRollout{.annotations = std::move(changes)}, std::move(says));
}

// To a set that is older than the stable one, and was it before.
bool is_way_back(const Sets& sets) {
  const auto& [latest, stable, others, all] = sets;
  return latest && stable && latest->was_stable() && latest->created < stable->created;
}

json::Object with_label(const json::Value* labels, std::string_view hash) {
  json::Object all = labels && labels->is_object() ? labels->get_object() : json::Object{};
  all[argo::kHashLabel] = hash;
  return all;
}

}  // namespace

json::Object new_set_object(const Draft& draft, std::int64_t revision) {
  const argo::RolloutSpec& spec = draft.rollout.spec;
  const std::string& hash = draft.seen.hash;
  json::Value pod_template = spec.template_.value;
  json::Object& metadata = json::object_at(pod_template, {"metadata"});
  json::Object labels = with_label(metadata.if_contains("labels"), hash);
  metadata["labels"] = labels;
  add_affinity(draft.rollout, hash, draft.seen.ns(), pod_template);

  json::Value selector = spec.selector ? spec.selector->value : json::Value(json::Object{});
  json::Object& matched = json::object_at(selector, {"matchLabels"});
  matched[argo::kHashLabel] = hash;

  json::Object annotations;
  for (const auto& [key, value] : copied_annotations(draft, {})) annotations[key] = *value;
  annotations[argo::kRevision] = std::to_string(revision);
  annotations[argo::kDesiredReplicas] = std::to_string(replicas_of(spec));
  inject_metadata(metadata_of_latest(draft), pod_template, annotations);

  json::Object object{{"apiVersion", "apps/v1"}, {"kind", "ReplicaSet"}};
  object["metadata"] = json::Object{{"name", draft.seen.name() + "-" + hash},
                                    {"namespace", draft.seen.ns()},
                                    {"labels", std::move(labels)},
                                    {"annotations", std::move(annotations)}};
  api::add_owner(object, api::controller_reference(draft.seen.document.get_object()));
  json::Object body{{"replicas", 0}, {"selector", std::move(selector)}};
  if (spec.min_ready_seconds > 0) body["minReadySeconds"] = spec.min_ready_seconds;
  body["template"] = std::move(pod_template);
  object["spec"] = std::move(body);
  return object;
}

void decide_revision(Draft& draft) {
  if (!draft.sets.latest) {
    draft.plan.create = CreateSet{new_set_object(draft, next_revision(draft))};
    return;
  }
  update_latest(draft);
  mark_stable(draft);
  annotate_rollout(draft);
}

bool is_changed(const Draft& draft) {
  if (is_canary(draft.rollout.spec) && draft.before.current_step_hash != draft.seen.steps_hash)
    return true;
  return !draft.before.current_pod_hash.empty() && draft.before.current_pod_hash != draft.seen.hash;
}

bool is_scaling(const Draft& draft) {
  const Count replicas = replicas_of(draft.rollout.spec);
  for (const ReplicaSet* set : {draft.sets.latest, draft.sets.stable})
    if (set && set->replicas > 0 && set->desired() && set->desired() != replicas) return true;
  return false;
}

bool is_rollback_in_window(const Draft& draft) {
  const auto& [latest, stable, others, all] = draft.sets;
  const auto& window = draft.rollout.spec.rollback_window;
  if (!window || !is_way_back(draft.sets)) return false;
  Count between = 0;
  for (const ReplicaSet* set : all)
    if (set->created < stable->created && latest->created < set->created) ++between;
  return between < window->revisions;
}

bool is_fast_rollback(const Draft& draft) {
  const auto& [latest, stable, others, all] = draft.sets;
  if (!latest || !stable) return false;
  if (latest == stable) return true;
  if (!is_way_back(draft.sets)) return false;
  const auto deadline = latest->deadline();
  const bool is_still_up =
      is_blue_green(draft.rollout.spec) && deadline && *deadline > draft.seen.now;
  return is_still_up || is_rollback_in_window(draft);
}

}  // namespace slipway::rollout
