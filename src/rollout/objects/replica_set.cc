#include "rollout/objects/replica_set.h"

#include <algorithm>
#include <charconv>

#include "api/kinds/argo_names.h"
#include "rollout/objects/fields.h"

namespace slipway::rollout {

namespace {

template <class Member>
Count sum(const std::vector<const ReplicaSet*>& sets, Member member) {
  Count total = 0;
  for (const ReplicaSet* set : sets) total += set->*member;
  return total;
}

std::optional<argo::Condition> failure_in(const json::Value& document) {
  const json::Value* conditions = json::at(document, {"status", "conditions"});
  if (!conditions || !conditions->is_array()) return std::nullopt;
  for (const json::Value& condition : conditions->get_array()) {
    if (json::string_at(condition, {"type"}) != "ReplicaFailure") continue;
    const Time when = time_at(condition, {"lastTransitionTime"}).value_or(Time());
    return argo::Condition{.type = "ReplicaFailure",
                           .status = std::string(json::string_at(condition, {"status"})),
                           .last_update_time = when,
                           .last_transition_time = when,
                           .reason = std::string(json::string_at(condition, {"reason"})),
                           .message = std::string(json::string_at(condition, {"message"}))};
  }
  return std::nullopt;
}

std::optional<std::int64_t> number_in(const std::map<std::string, std::string>& annotations,
                                      std::string_view key) {
  const auto found = annotations.find(std::string(key));
  if (found == annotations.end()) return std::nullopt;
  return parse_number(found->second);
}

}  // namespace

std::int64_t ReplicaSet::revision() const {
  return number_in(annotations, argo::kRevision).value_or(0);
}

std::optional<Count> ReplicaSet::desired() const {
  const auto number = number_in(annotations, argo::kDesiredReplicas);
  return number ? std::optional(static_cast<Count>(*number)) : std::nullopt;
}

bool ReplicaSet::was_stable() const {
  const auto found = annotations.find(std::string(argo::kWasStable));
  return found != annotations.end() && found->second == "true";
}

bool ReplicaSet::has_deadline() const {
  const auto found = annotations.find(std::string(argo::kScaleDownDeadline));
  return found != annotations.end() && !found->second.empty();
}

std::optional<Time> ReplicaSet::deadline() const {
  if (!has_deadline()) return std::nullopt;
  const auto time = parse_time(annotations.at(std::string(argo::kScaleDownDeadline)));
  return time ? std::optional(*time) : std::nullopt;
}

ReplicaSet read_replica_set(json::Value document) {
  const json::Object& fields = document.get_object();
  ReplicaSet set{.name = std::string(api::name_of(fields)),
                 .uid = std::string(api::uid_of(fields)),
                 .hash = label_of(fields, argo::kHashLabel),
                 .replicas = count_at(document, {"spec", "replicas"}, 1),
                 .current = count_at(document, {"status", "replicas"}),
                 .ready = count_at(document, {"status", "readyReplicas"}),
                 .available = count_at(document, {"status", "availableReplicas"}),
                 .min_ready_seconds = count_at(document, {"spec", "minReadySeconds"}),
                 .is_observed = number_at(document, {"status", "observedGeneration"}) >=
                                api::generation_of(fields),
                 .is_deleting = api::is_deleting(fields),
                 .created = time_at(document, {"metadata", "creationTimestamp"}).value_or(Time()),
                 .annotations = texts_at(document, {"metadata", "annotations"}),
                 .failure = failure_in(document)};
  set.document = std::move(document);
  return set;
}

bool Sets::has_separate_stable() const { return stable && stable != latest; }

std::vector<const ReplicaSet*> Sets::all_but_latest() const {
  std::vector<const ReplicaSet*> older = all;
  std::erase(older, latest);
  return older;
}

Sets sort_out(const std::vector<ReplicaSet>& sets, const std::string& latest_hash,
              const std::string& stable_hash) {
  Sets sorted;
  for (const ReplicaSet& set : sets) sorted.all.push_back(&set);
  sorted.latest = find_by_hash(sorted.all, latest_hash);
  sorted.stable = find_by_hash(sorted.all, stable_hash);
  for (const ReplicaSet* set : sorted.all)
    if (set != sorted.latest && set != sorted.stable) sorted.others.push_back(set);
  return sorted;
}

const ReplicaSet* find_by_hash(const std::vector<const ReplicaSet*>& sets,
                               const std::string& hash) {
  if (hash.empty()) return nullptr;
  const auto found = std::ranges::find(sets, hash, [](const ReplicaSet* set) { return set->hash; });
  return found == sets.end() ? nullptr : *found;
}

Count wanted_in(const std::vector<const ReplicaSet*>& sets) {
  return sum(sets, &ReplicaSet::replicas);
}
Count current_in(const std::vector<const ReplicaSet*>& sets) {
  return sum(sets, &ReplicaSet::current);
}
Count ready_in(const std::vector<const ReplicaSet*>& sets) { return sum(sets, &ReplicaSet::ready); }
Count available_in(const std::vector<const ReplicaSet*>& sets) {
  return sum(sets, &ReplicaSet::available);
}

Count certain_of(const ReplicaSet& set) {
  return set.is_observed ? std::min(set.replicas, set.available) : 0;
}

bool is_saturated(const ReplicaSet* set, Count replicas) {
  return set && set->is_observed && set->replicas == replicas && set->desired() == replicas &&
         set->available == replicas;
}

bool is_fully_available(const ReplicaSet& set) {
  return set.replicas != 0 && set.replicas <= certain_of(set);
}

}  // namespace slipway::rollout
