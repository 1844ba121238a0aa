#include <fmt/format.h>

#include <map>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "scenario/player/kinds.h"
#include "scenario/simulated/reading.h"

// Verdicts before promotions, steps one after the other, everything once.
namespace slipway::scenario {

namespace {

namespace argo = api::argo;

const json::Array& steps_of(const sim::Change& rollout) {
  static const json::Array kNone;
  const json::Value* steps = json::at(rollout.object, {"spec", "strategy", "canary", "steps"});
  return steps && steps->is_array() ? steps->get_array() : kNone;
}

// The newest of the children of one attempt for which `is_it` holds.
template <class Is>
const sim::Change* newest(const std::vector<const sim::Change*>& children, Is is_it) {
  const sim::Change* found = nullptr;
  std::string best;
  for (const sim::Change* child : children) {
    if (!is_it(*child)) continue;
    const auto made =
        std::string(text_at(*child, {"metadata", "creationTimestamp"})) + child->key.name;
    if (found && made <= best) continue;
    best = made;
    found = child;
  }
  return found;
}

struct Promotion {
  const sim::Change& rollout;
  std::string hash;
  // Of this hash and revision.
  std::vector<const sim::Change*> runs = {}, experiments = {};

  Finding verdict(std::string_view what, const sim::Change* child, bool may_run) const {
    const std::string_view phase = child ? text_at(*child, {"status", "phase"}) : "missing";
    const bool going = phase == "" || phase == "Pending" || phase == "Running";
    if (phase == "Successful" || (may_run && going)) return {};
    return fmt::format("{} was promoted to {} though its {} is {}", rollout.key.name, hash, what,
                       phase);
  }
  const sim::Change* run(std::string_view type, std::string_view step = {}) const {
    return newest(runs, [&](const sim::Change& one) {
      return label_of(one, argo::kRolloutTypeLabel) == type &&
             label_of(one, argo::kStepIndexLabel) == step;
    });
  }
};

std::string experiment_prefix(const sim::Change& rollout, std::string_view hash, std::size_t step) {
  return fmt::format("{}-{}-{}-{}", rollout.key.name, hash, annotation_of(rollout, argo::kRevision),
                     step);
}

Finding canary_proven(const Promotion& it) {
  const json::Array& steps = steps_of(it.rollout);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (json::at(steps[i], {"analysis"}))
      if (auto found = it.verdict(fmt::format("analysis of step {}", i),
                                  it.run(argo::kTypeStep, std::to_string(i)), false))
        return found;
    if (!json::at(steps[i], {"experiment"})) continue;
    const std::string name = experiment_prefix(it.rollout, it.hash, i);
    const sim::Change* experiment = newest(it.experiments, [&](const sim::Change& one) {
      return one.key.name == name || one.key.name.starts_with(name + "-");
    });
    if (auto found = it.verdict(fmt::format("experiment of step {}", i), experiment, false))
      return found;
  }
  if (!json::at(it.rollout.object, {"spec", "strategy", "canary", "analysis"})) return {};
  return it.verdict("background analysis", it.run(argo::kTypeBackground), true);
}

Finding blue_green_proven(const Promotion& it) {
  const auto wants = [&](std::string_view field) {
    return json::at(it.rollout.object, {"spec", "strategy", "blueGreen", field}) != nullptr;
  };
  if (wants("prePromotionAnalysis"))
    if (auto found = it.verdict("pre-promotion analysis", it.run(argo::kTypePrePromotion), false))
      return found;
  if (!wants("postPromotionAnalysis")) return {};
  return it.verdict("post-promotion analysis", it.run(argo::kTypePostPromotion), false);
}

bool is_older(const Moment& now, const sim::Change& rollout, std::string_view a,
              std::string_view b) {
  std::string made_a, made_b;
  for (const sim::Change* set : now.owned(kReplicaSets, rollout.uid)) {
    const std::string made(text_at(*set, {"metadata", "creationTimestamp"}));
    if (label_of(*set, argo::kHashLabel) == a) made_a = made;
    if (label_of(*set, argo::kHashLabel) == b) made_b = made;
  }
  return made_a < made_b;
}

// Quick ways to a set that was stable before: its verdicts are of then.
bool goes_back(const Moment& now, const sim::Change& rollout, std::string_view from,
               std::string_view to) {
  const bool quick = !is_canary(rollout) || json::at(rollout.object, {"spec", "rollbackWindow"});
  return quick && is_older(now, rollout, to, from);
}

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

}  // namespace

Finding promoted_unproven(const Story& story) {
  std::map<std::string, store::Version> begun;  // by uid: when the template last changed
  return each_change(
      story,
      [&](const sim::Change& change, const sim::Change* before, const Moment& now) -> Finding {
        if (change.kind != kRollouts || is_deleted(change) || !before) return {};
        if (text_at(change, {"status", "currentPodHash"}) !=
            text_at(*before, {"status", "currentPodHash"}))
          begun[change.uid] = change.version;
        const std::string from(text_at(*before, {"status", "stableRS"}));
        const std::string to(text_at(change, {"status", "stableRS"}));
        if (from == to || from.empty()) return {};
        if (bool_at(*before, {"status", "promoteFull"}) || goes_back(now, change, from, to))
          return {};
        if (was_done(story, change.key.name, {"promote past"}, begun[change.uid], change.version))
          return {};
        Promotion it{.rollout = change, .hash = to};
        const auto is_of_it = [&](const sim::Change* child) {
          return label_of(*child, argo::kHashLabel) == to &&
                 annotation_of(*child, argo::kRevision) == annotation_of(change, argo::kRevision);
        };
        for (const sim::Change* run : now.owned(kAnalysisRuns, change.uid))
          if (is_of_it(run)) it.runs.push_back(run);
        for (const sim::Change* one : now.owned(kExperiments, change.uid))
          if (is_of_it(one)) it.experiments.push_back(one);
        return is_canary(change) ? canary_proven(it) : blue_green_proven(it);
      });
}

Finding aborted_became_stable(const Story& story) {
  return each_change(
      story, [](const sim::Change& change, const sim::Change* before, const Moment&) -> Finding {
        if (change.kind != kRollouts || is_deleted(change) || !before) return {};
        const std::string_view stable = text_at(change, {"status", "stableRS"});
        if (stable == text_at(*before, {"status", "stableRS"})) return {};
        if (text_at(*before, {"status", "stableRS"}).empty()) return {};
        if (bool_at(*before, {"status", "promoteFull"}))
          return {};  // a person wants it all the same
        for (const sim::Change* one : {before, &change})
          if (bool_at(*one, {"status", "abort"}) &&
              text_at(*one, {"status", "currentPodHash"}) == stable)
            return fmt::format("{} was aborted at {}, and now that is stable", change.key.name,
                               stable);
        return {};
      });
}

Finding steps_out_of_order(const Story& story) {
  return each_change(
      story, [&](const sim::Change& change, const sim::Change* before, const Moment&) -> Finding {
        if (change.kind != kRollouts || is_deleted(change) || !before) return {};
        if (deed_of(story, change.version)) return {};
        for (const auto* hash : {"currentPodHash", "currentStepHash"})
          if (text_at(change, {"status", hash}) != text_at(*before, {"status", hash})) return {};
        const std::int64_t from = number_at(before->object, {"status", "currentStepIndex"});
        const std::int64_t to = number_at(change.object, {"status", "currentStepIndex"});
        const bool abort =
            bool_at(change, {"status", "abort"}) || bool_at(*before, {"status", "abort"});
        const bool retries = json::at(before->object, {"status", "abortedAt"}) != nullptr;
        if (to < from && !(to == 0 && (abort || retries)))
          return fmt::format("{} went back from step {} to {}", change.key.name, from, to);
        // A first deployment takes no steps, and a way back within its window none.
        const bool jumps =
            text_at(*before, {"status", "stableRS"}).empty() ||
            json::at(change.object, {"spec", "rollbackWindow"}) ||
            bool_at(*before, {"status", "promoteFull"}) || abort ||
            text_at(change, {"status", "stableRS"}) != text_at(*before, {"status", "stableRS"}) ||
            text_at(change, {"status", "stableRS"}) ==
                text_at(change, {"status", "currentPodHash"});
        if (to > from + 1 && !jumps)
          return fmt::format("{} jumped from step {} to {}", change.key.name, from, to);
        return {};
      });
}

Finding made_twice(const Story& story) {
  std::map<std::string, const sim::Change*> made;
  return each_change(
      story,
      [&](const sim::Change& change, const sim::Change* before, const Moment& now) -> Finding {
        if (before || is_deleted(change)) return {};
        const auto owner = api::controller_of(change.object);
        if (!owner) return {};
        std::string key;
        if (change.kind == kAnalysisRuns && owner->kind == "Rollout") key = key_of_run(change);
        if (change.kind == kExperiments) key = key_of_experiment(change);
        if (change.kind == kReplicaSets) key = key_of_set(change);
        if (key.empty()) return {};
        const sim::Change*& first = made[key];
        const sim::Change* other = std::exchange(first, &change);
        if (!other) return {};
        // One that has gone may come again, and so may what a person asked for again.
        if (!now.find(other->uid) && change.kind == kReplicaSets) return {};
        if (change.kind != kReplicaSets &&
            was_done(story, owner->name, {"retry", "promote", "promote past", "abort"},
                     other->version, change.version))
          return {};
        return fmt::format("{} was made though there is {}", change.key.name, other->key.name);
      });
}

}  // namespace slipway::scenario
