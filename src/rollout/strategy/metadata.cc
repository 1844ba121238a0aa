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

std::string note_of(const ReplicaSet& set) {
  const auto found = set.annotations.find(std::string(argo::kEphemeralMetadata));
  return found == set.annotations.end() ? std::string() : found->second;
}

argo::ExtraMetadata injected_in(const ReplicaSet& set) {
  const auto document = json::read(note_of(set));
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

// Empty for nothing.
std::string note(const argo::ExtraMetadata& metadata) {
  if (metadata.labels.empty() && metadata.annotations.empty()) return {};
  return json::write(api::encode(metadata));
}

argo::ExtraMetadata both(argo::ExtraMetadata one, const argo::ExtraMetadata& other) {
  one.labels.insert(other.labels.begin(), other.labels.end());
  one.annotations.insert(other.annotations.begin(), other.annotations.end());
  return one;
}

std::vector<ChangePod> pod_changes(const Draft& draft, const ReplicaSet& set,
                                   const argo::ExtraMetadata& ours,
                                   const argo::ExtraMetadata& want) {
  std::vector<ChangePod> all;
  for (const Pod& pod : draft.seen.pods) {
    if (pod.set_uid != set.uid || pod.is_deleting) continue;
    ChangePod change{.name = pod.name,
                     .uid = pod.uid,
                     .labels = changes(pod.labels, ours.labels, want.labels),
                     .annotations = changes(pod.annotations, ours.annotations, want.annotations)};
    if (!change.labels.empty() || !change.annotations.empty()) all.push_back(std::move(change));
  }
  return all;
}

void sync(Draft& draft, const ReplicaSet& set, const argo::ExtraMetadata* wanted) {
  static const argo::ExtraMetadata kNone;
  const argo::ExtraMetadata ours = injected_in(set);
  const argo::ExtraMetadata& want = wanted ? *wanted : kNone;
  const TextChanges labels = changes(
      texts_at(set.document, {"spec", "template", "metadata", "labels"}), ours.labels, want.labels);
  const TextChanges annotations =
      changes(texts_at(set.document, {"spec", "template", "metadata", "annotations"}),
              ours.annotations, want.annotations);
  std::vector<ChangePod> pods = pod_changes(draft, set, ours, want);
  const bool is_template_right = labels.empty() && annotations.empty();
  // Until the last Pod is right, the note knows what is to go: nobody else does after a crash.
  const bool is_done = is_template_right && pods.empty();
  const std::string now = note_of(set), then = note(is_done ? want : both(want, ours));
  if (!is_template_right || now != then) {
    ChangeSet change{.name = set.name, .uid = set.uid};
    json::Object metadata;
    if (!labels.empty()) metadata["labels"] = as_patch(labels);
    if (!annotations.empty()) metadata["annotations"] = as_patch(annotations);
    if (!is_template_right) change.pod_template = json::Object{{"metadata", std::move(metadata)}};
    change.annotations[std::string(argo::kEphemeralMetadata)] =
        then.empty() ? std::nullopt : std::optional(then);
    draft.act(std::move(change));
  }
  for (ChangePod& change : pods) draft.act(std::move(change));
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
  if (const std::string text = note(*metadata); !text.empty())
    annotations[argo::kEphemeralMetadata] = text;
}

void decide_metadata(Draft& draft) {
  const Pair pair = metadata_of(draft.rollout.spec);
  if (!pair.latest && !pair.stable) return;
  sync(draft, *draft.sets.latest, metadata_of_latest(draft));
  if (draft.sets.has_separate_stable()) sync(draft, *draft.sets.stable, pair.stable);
  for (const ReplicaSet* set : draft.sets.others) sync(draft, *set, nullptr);
}

}  // namespace slipway::rollout
