#include <fmt/format.h>

#include <map>
#include <set>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "scenario/player/kinds.h"
#include "scenario/simulated/course.h"

// What becomes stable was up, had its verdicts, and was not given up.
namespace slipway::scenario {

namespace {

namespace argo = api::argo;

// A look decides by what it finds, and writes after a while: what it found may have gone since.
constexpr Duration kMaxLook = std::chrono::seconds(10);

// The newest of children for which `is_it` holds.
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

// One that was told to end says that it was successful, too.
std::string_view outcome_of(const sim::Change* child) {
  if (!child) return "missing";
  const std::string_view phase = text_at(*child, {"status", "phase"});
  const bool was_ended = phase == "Successful" && bool_at(*child, {"spec", "terminate"});
  return was_ended ? "ended early" : phase;
}

struct Promotion {
  const sim::Change& rollout;
  const Update& update;
  // Of this hash and revision, made since it was last begun.
  std::vector<const sim::Change*> runs = {}, experiments = {};

  using Phases = std::initializer_list<std::string_view>;
  Finding verdict(std::string_view what, const sim::Change* child, Phases good) const {
    const std::string_view phase = outcome_of(child);
    if (std::ranges::find(good, phase) != good.end()) return {};
    return fmt::format("{} was promoted to {} though its {} is {}", rollout.key.name, update.hash,
                       what, phase);
  }
  const sim::Change* run(std::string_view type, std::string_view step = {}) const {
    return newest(runs, [&](const sim::Change& one) {
      return label_of(one, argo::kRolloutTypeLabel) == type &&
             label_of(one, argo::kStepIndexLabel) == step;
    });
  }
  const sim::Change* experiment(std::size_t step) const {
    const std::string name = fmt::format("{}-{}-{}-{}", rollout.key.name, update.hash,
                                         annotation_of(rollout, argo::kRevision), step);
    return newest(experiments, [&](const sim::Change& one) {
      return one.key.name == name || one.key.name.starts_with(name + "-");
    });
  }
};

Finding canary_proven(const Promotion& it) {
  const json::Array& steps = steps_of(it.rollout);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (it.update.passed.contains(static_cast<std::int64_t>(i))) continue;
    if (json::at(steps[i], {"analysis"}))
      if (auto found = it.verdict(fmt::format("analysis of step {}", i),
                                  it.run(argo::kTypeStep, std::to_string(i)), {"Successful"}))
        return found;
    if (json::at(steps[i], {"experiment"}))
      if (auto found =
              it.verdict(fmt::format("experiment of step {}", i), it.experiment(i), {"Successful"}))
        return found;
  }
  if (!json::at(it.rollout.object, {"spec", "strategy", "canary", "analysis"})) return {};
  const sim::Change* run = it.run(argo::kTypeBackground);
  // Whoever goes on from where it waits for a person takes the doubt upon himself.
  if (!it.update.passed.empty() && !it.verdict("", run, {"Inconclusive"})) return {};
  return it.verdict("background analysis", run,
                    {"", "Pending", "Running", "ended early", "Successful"});
}

Finding blue_green_proven(const Promotion& it, bool is_let_in) {
  const auto wants = [&](std::string_view field) {
    return json::at(it.rollout.object, {"spec", "strategy", "blueGreen", field}) != nullptr;
  };
  if (wants("prePromotionAnalysis") && !is_let_in)
    if (auto found =
            it.verdict("pre-promotion analysis", it.run(argo::kTypePrePromotion), {"Successful"}))
      return found;
  if (!wants("postPromotionAnalysis")) return {};
  return it.verdict("post-promotion analysis", it.run(argo::kTypePostPromotion), {"Successful"});
}

// When children were made, how many of its Pods each set had at its best of late, and which hashes
// have passed what comes before the switch.
class Record {
 public:
  void take(const sim::Change& change, const sim::Change* before) {
    if (!before) made_.try_emplace(change.uid, change.version);
    if (change.kind == kAnalysisRuns && outcome_of(&change) == "Successful" &&
        label_of(change, argo::kRolloutTypeLabel) == argo::kTypePrePromotion)
      fit_.emplace(label_of(change, argo::kHashLabel));
    if (change.kind != kReplicaSets) return;
    if (before) had_[change.uid].emplace_back(change.time, available(*before));
  }
  store::Version made(const std::string& uid) const { return made_.at(uid); }
  bool was_fit(const std::string& hash) const { return fit_.contains(hash); }
  std::int64_t best(const sim::Change& set, Time now) const {
    std::int64_t most = available(set);
    if (const auto found = had_.find(set.uid); found != had_.end())
      for (const auto& [until, count] : found->second)
        if (until + kMaxLook >= now) most = std::max(most, count);
    return most;
  }

 private:
  static std::int64_t available(const sim::Change& set) {
    return number_at(set.object, {"status", "availableReplicas"});
  }
  std::map<std::string, store::Version> made_;
  std::set<std::string> fit_;
  std::map<std::string, std::vector<std::pair<Time, std::int64_t>>> had_;  // until when
};

Finding is_up(const sim::Change& rollout, const Moment& now, const Record& record) {
  const std::string_view hash = text_at(rollout, {"status", "stableRS"});
  const sim::Change* set = set_of(now, rollout, hash);
  const std::int64_t count = set ? record.best(*set, rollout.time) : 0;
  if (set && count >= replicas_of(rollout.object)) return {};
  return fmt::format("{} of {} was called stable with {} Pods of {}", hash, rollout.key.name, count,
                     replicas_of(rollout.object));
}

// Back to what the active Service has not left yet: that it may be there was found out before, or
// somebody wanted it so.
bool is_let_in(const Story& story, const sim::Change& rollout, const Update& update,
               const Record& record) {
  return update.was_active &&
         (record.was_fit(update.hash) || update.stable.contains(update.hash) ||
          was_done(story, rollout.key.name, {"promote --full"}, 0, rollout.version));
}

Finding is_proven(const Story& story, const sim::Change& rollout, const Update& update,
                  const Moment& now, const Record& record) {
  Promotion it{.rollout = rollout, .update = update};
  const auto is_of_it = [&](const sim::Change* child) {
    return label_of(*child, argo::kHashLabel) == update.hash &&
           annotation_of(*child, argo::kRevision) == annotation_of(rollout, argo::kRevision) &&
           record.made(child->uid) > update.since();
  };
  for (const sim::Change* run : now.owned(kAnalysisRuns, rollout.uid))
    if (is_of_it(run)) it.runs.push_back(run);
  for (const sim::Change* one : now.owned(kExperiments, rollout.uid))
    if (is_of_it(one)) it.experiments.push_back(one);
  return is_canary(rollout) ? canary_proven(it)
                            : blue_green_proven(it, is_let_in(story, rollout, update, record));
}

}  // namespace

Finding promoted_unproven(const Story& story) {
  Course course(story);
  Record record;
  return each_change(
      story,
      [&](const sim::Change& change, const sim::Change* before, const Moment& now) -> Finding {
        course.take(change, before, now);
        record.take(change, before);
        if (change.kind != kRollouts || is_deleted(change) || !before) return {};
        const std::string_view from = text_at(*before, {"status", "stableRS"});
        const std::string_view to = text_at(change, {"status", "stableRS"});
        if (from == to) return {};
        if (to != text_at(change, {"status", "currentPodHash"}))
          return fmt::format("{} of {} was called stable, which nobody asked for", to,
                             change.key.name);
        // Blue-green looks at Pods when the active Service turns, which may be long before.
        if (from.empty() || is_canary(change))
          if (auto found = is_up(change, now, record)) return found;
        if (from.empty() || course.is_promoted_in_full(change) ||
            course.may_be_quick(change, from, now))
          return {};
        return is_proven(story, change, course.of(change.uid), now, record);
      });
}

Finding aborted_became_stable(const Story& story) {
  Course course(story);
  return each_change(
      story,
      [&](const sim::Change& change, const sim::Change* before, const Moment& now) -> Finding {
        course.take(change, before, now);
        if (change.kind != kRollouts || is_deleted(change) || !before) return {};
        const std::string_view from = text_at(*before, {"status", "stableRS"});
        const std::string_view to = text_at(change, {"status", "stableRS"});
        const Update& update = course.of(change.uid);
        // A first deployment has nothing to go back to.
        if (from.empty() || from == to || to != update.hash || !update.is_given_up) return {};
        return fmt::format("{} was aborted at {}, and now that is stable", change.key.name, to);
      });
}

}  // namespace slipway::scenario
