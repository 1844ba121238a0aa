#include <fmt/format.h>

#include <map>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "scenario/player/kinds.h"
#include "scenario/simulated/course.h"

// Everything is made once, and what is in use stays.
namespace slipway::scenario {

namespace {

namespace argo = api::argo;

std::string key_of_run(const sim::Change& run) {
  const auto owner = api::controller_of(run.object);
  return fmt::format("{} {} {} {} {}", owner ? owner->uid : "", label_of(run, argo::kHashLabel),
                     annotation_of(run, argo::kRevision), label_of(run, argo::kRolloutTypeLabel),
                     label_of(run, argo::kStepIndexLabel));
}

std::string key_of_experiment(const sim::Change& experiment) {
  const auto owner = api::controller_of(experiment.object);
  const std::string prefix =
      fmt::format("{}-{}-{}-", owner ? owner->name : "", label_of(experiment, argo::kHashLabel),
                  annotation_of(experiment, argo::kRevision));
  const std::string rest =
      experiment.key.name.starts_with(prefix) ? experiment.key.name.substr(prefix.size()) : "";
  return prefix + rest.substr(0, rest.find('-'));
}

std::string key_of_set(const sim::Change& set) {
  const auto owner = api::controller_of(set.object);
  json::Value pod_template = set.object.at("spec").at("template");
  json::erase(json::object_at(pod_template, {"metadata", "labels"}), argo::kHashLabel);
  return (owner ? owner->uid : "") + std::string(annotation_of(set, argo::kExperimentTemplate)) +
         json::write(pod_template, {.sort_keys = true});
}

std::string key_of(const sim::Change& made, const api::OwnerReference& owner) {
  if (made.kind == kAnalysisRuns && owner.kind == "Rollout") return key_of_run(made);
  if (made.kind == kExperiments) return key_of_experiment(made);
  return made.kind == kReplicaSets ? key_of_set(made) : std::string();
}

// A set that goes before its Rollout does.
Finding went_in_use(const sim::Change& set, const sim::Change* before, const Moment& now) {
  const auto owner = api::controller_of(set.object);
  const sim::Change* rollout = owner ? now.find(owner->uid) : nullptr;
  if (!before || !rollout || rollout->kind != kRollouts || api::is_deleting(rollout->object))
    return {};
  const std::string_view hash = label_of(set, argo::kHashLabel);
  for (const std::string_view use : {"stableRS", "currentPodHash"})
    if (text_at(*rollout, {"status", use}) == hash)
      return fmt::format("{} was removed though it is {} of {}", set.key.name, use, owner->name);
  if (const auto pods = number_at(before->object, {"status", "replicas"}); pods != 0)
    return fmt::format("{} was removed with {} Pods", set.key.name, pods);
  return {};
}

class Workshop {
 public:
  explicit Workshop(const Story& story) : story_(story), course_(story) {}

  Finding take(const sim::Change& change, const sim::Change* before, const Moment& now) {
    course_.take(change, before, now);
    if (is_deleted(change))
      return change.kind == kReplicaSets ? went_in_use(change, before, now) : Finding();
    if (text_at(change, {"status", "phase"}) == "Inconclusive")
      undecided_.try_emplace(change.uid, change.version);
    const auto owner = api::controller_of(change.object);
    const std::string key = before || !owner ? std::string() : key_of(change, *owner);
    if (key.empty()) return {};
    const sim::Change* other = std::exchange(made_[key], &change);
    if (!other) return {};
    // One that has gone may come again.
    const bool may_be = change.kind == kReplicaSets ? !now.find(other->uid)
                                                    : was_wanted_again(*owner, *other, change);
    if (may_be) return {};
    return fmt::format("{} was made though there is {}", change.key.name, other->key.name);
  }

 private:
  bool was_wanted_again(const api::OwnerReference& owner, const sim::Change& other,
                        const sim::Change& change) {
    const Update& update = course_.of(owner.uid);
    if (update.begun > other.version || update.retried > other.version) return true;
    const auto undecided = undecided_.find(other.uid);
    return undecided != undecided_.end() &&
           was_done(story_, owner.name, {"promote", "promote past"}, undecided->second,
                    change.version);
  }

  const Story& story_;
  Course course_;
  std::map<std::string, const sim::Change*> made_;
  std::map<std::string, store::Version> undecided_;  // by uid: since when
};

}  // namespace

Finding made_twice(const Story& story) {
  Workshop workshop(story);
  return each_change(story, [&](const sim::Change& change, const sim::Change* before,
                                const Moment& now) { return workshop.take(change, before, now); });
}

}  // namespace slipway::scenario
