#include "rollout/strategy/metadata.h"

#include "api/kinds/argo_names.h"
#include "api/schema/codec.h"
#include "rollout/objects/fields.h"

namespace slipway::rollout {

namespace {

using Texts = std::map<std::string, std::string>;

const argo::ExtraMetadata* pointer(const std::optional<argo::ExtraMetadata>& metadata) {
  return metadata ? &*metadata : nullptr;
}

struct Pair {
  const argo::ExtraMetadata* latest = nullptr;  // while there is another stable set
  const argo::ExtraMetadata* stable = nullptr;
};
Pair metadata_of(const argo::RolloutSpec& spec) {
  if (const auto& canary = spec.strategy.canary)
    return {pointer(canary->canary_metadata), pointer(canary->stable_metadata)};
  if (const auto& blue_green = spec.strategy.blue_green)
    return {pointer(blue_green->preview_metadata), pointer(blue_green->active_metadata)};
  return {};
}

argo::ExtraMetadata injected_in(const ReplicaSet& set) {
  const auto found = set.annotations.find(std::string(argo::kEphemeralMetadata));
  if (found == set.annotations.end()) return {};
  const auto document = json::read(found->second);
  if (!document) return {};
  return api::decode<argo::ExtraMetadata>(*document).value_or(argo::ExtraMetadata());
}

// From what is there, and was put there by us, to what is wanted.
TextChanges changes(const Texts& there, const Texts& ours, const Texts& wanted) {
  TextChanges found;
  for (const auto& [key, value] : wanted)
    if (const auto now = there.find(key); now == there.end() || now->second != value)
      found[key] = value;
  for (const auto& [key, value] : ours)
    if (!wanted.contains(key) && there.contains(key)) found[key] = std::nullopt;
  return found;
}

json::Object as_patch(const TextChanges& changed) {
  json::Object patch;
  for (const auto& [key, value] : changed) patch[key] = value ? json::Value(*value) : nullptr;
  return patch;
}

std::string note(const argo::ExtraMetadata& metadata) { return json::write(api::encode(metadata)); }

void sync(Draft& draft, const ReplicaSet& set, const argo::ExtraMetadata* wanted) {
  static const argo::ExtraMetadata kNone;
  const argo::ExtraMetadata ours = injected_in(set);
  const argo::ExtraMetadata& want = wanted ? *wanted : kNone;
  const TextChanges labels = changes(
      texts_at(set.document, {"spec", "template", "metadata", "labels"}), ours.labels, want.labels);
  const TextChanges annotations =
      changes(texts_at(set.document, {"spec", "template", "metadata", "annotations"}),
              ours.annotations, want.annotations);
  if (!labels.empty() || !annotations.empty()) {
    ChangeSet change{.name = set.name, .uid = set.uid};
    json::Object metadata;
    if (!labels.empty()) metadata["labels"] = as_patch(labels);
    if (!annotations.empty()) metadata["annotations"] = as_patch(annotations);
    change.pod_template = json::Object{{"metadata", std::move(metadata)}};
    change.annotations[std::string(argo::kEphemeralMetadata)] =
        wanted ? std::optional(note(want)) : std::nullopt;
    draft.act(std::move(change));
  }
  for (const Pod& pod : draft.seen.pods) {
    if (pod.set_uid != set.uid || pod.is_deleting) continue;
    ChangePod change{.name = pod.name,
                     .uid = pod.uid,
                     .labels = changes(pod.labels, ours.labels, want.labels),
                     .annotations = changes(pod.annotations, ours.annotations, want.annotations)};
    if (!change.labels.empty() || !change.annotations.empty()) draft.act(std::move(change));
  }
}

void put(json::Value& pod_template, std::string_view member, const Texts& texts) {
  if (texts.empty()) return;
  json::Object& map = json::object_at(pod_template, {"metadata", member});
  for (const auto& [key, value] : texts) map[key] = value;
}

}  // namespace

const argo::ExtraMetadata* metadata_of_latest(const Draft& draft) {
  const Pair pair = metadata_of(draft.rollout.spec);
  const bool is_update = draft.sets.has_separate_stable();
  return is_update ? pair.latest : pair.stable;
}

void inject_metadata(const argo::ExtraMetadata* metadata, json::Value& pod_template,
                     json::Object& annotations) {
  if (!metadata) return;
  put(pod_template, "labels", metadata->labels);
  put(pod_template, "annotations", metadata->annotations);
  annotations[argo::kEphemeralMetadata] = note(*metadata);
}

void decide_metadata(Draft& draft) {
  const Pair pair = metadata_of(draft.rollout.spec);
  if (!pair.latest && !pair.stable) return;
  sync(draft, *draft.sets.latest, metadata_of_latest(draft));
  if (draft.sets.has_separate_stable()) sync(draft, *draft.sets.stable, pair.stable);
  for (const ReplicaSet* set : draft.sets.others) sync(draft, *set, nullptr);
}

}  // namespace slipway::rollout
