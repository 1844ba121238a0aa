#include <fmt/format.h>

#include <algorithm>

#include "scenario/player/kinds.h"
#include "scenario/simulated/course.h"

// One step after the other, from the first.
namespace slipway::scenario {

namespace {

struct Move {
  std::int64_t from = 0, to = 0, end = 0;  // end: behind the last
  // Nothing to take steps from, or nobody wants them to be taken.
  bool may_skip = false;
};

Finding begun_well(const sim::Change& rollout, const Move& move) {
  if (move.to == 0 || (move.to == move.end && move.may_skip)) return {};
  return fmt::format("{} begins at step {}", rollout.key.name, move.to);
}

Finding moved_well(const sim::Change& rollout, const Move& move, bool is_stable) {
  const std::string& name = rollout.key.name;
  if (bool_at(rollout, {"status", "abort"})) {
    if (move.to == 0 || (move.to == move.end && is_stable)) return {};
    return fmt::format("{} is aborted, and went from step {} to {}", name, move.from, move.to);
  }
  if (move.to < move.from)
    return fmt::format("{} went back from step {} to {}", name, move.from, move.to);
  if (move.to == move.from + 1 || (move.to == move.end && move.may_skip)) return {};
  return fmt::format("{} jumped from step {} to {}", name, move.from, move.to);
}

bool is_undecided(const sim::Change& rollout) {
  const json::Value* pauses = json::at(rollout.object, {"status", "pauseConditions"});
  if (!pauses || !pauses->is_array()) return false;
  return std::ranges::any_of(pauses->get_array(), [](const json::Value& pause) {
    return json::string_at(pause, {"reason"}) == "InconclusiveAnalysisRun";
  });
}

bool is_another_update(const sim::Change& rollout, const sim::Change& before) {
  return text_at(rollout, {"status", "currentPodHash"}) !=
             text_at(before, {"status", "currentPodHash"}) ||
         text_at(rollout, {"status", "currentStepHash"}) !=
             text_at(before, {"status", "currentStepHash"});
}

std::int64_t weight_of(const sim::Change& rollout) {
  return number_at(rollout.object, {"status", "canary", "weights", "canary", "weight"});
}

Finding stayed_put(const sim::Change& rollout, const sim::Change& before) {
  const std::string& name = rollout.key.name;
  if (step_of(rollout) != step_of(before))
    return fmt::format("{} is undecided, and went from step {} to {}", name, step_of(before),
                       step_of(rollout));
  if (text_at(rollout, {"status", "stableRS"}) != text_at(before, {"status", "stableRS"}))
    return fmt::format("{} is undecided, and was promoted", name);
  if (!is_undecided(before)) return {};
  if (!is_undecided(rollout)) return fmt::format("{} decided by itself to go on", name);
  if (weight_of(rollout) > weight_of(before))
    return fmt::format("{} is undecided, and got more traffic", name);
  return {};
}

}  // namespace

Finding steps_out_of_order(const Story& story) {
  Course course(story);
  return each_change(
      story,
      [&](const sim::Change& change, const sim::Change* before, const Moment& now) -> Finding {
        course.take(change, before, now);
        if (change.kind != kRollouts || is_deleted(change) || !before) return {};
        if (deed_of(story, change.version)) return {};
        const Update& update = course.of(change.uid);
        const bool begins = update.begun == change.version;
        if (!begins && step_of(*before) == step_of(change)) return {};
        const std::string_view stable = text_at(*before, {"status", "stableRS"});
        const bool is_stable = stable == update.hash;
        const Move move{.from = step_of(*before),
                        .to = step_of(change),
                        .end = static_cast<std::int64_t>(steps_of(change).size()),
                        .may_skip = stable.empty() || is_stable ||
                                    course.is_promoted_in_full(change) ||
                                    course.may_be_quick(change, stable, now)};
        return begins ? begun_well(change, move) : moved_well(change, move, is_stable);
      });
}

// An analysis without a verdict holds everything until somebody says how to go on.
Finding moved_undecided(const Story& story) {
  return each_change(
      story, [&](const sim::Change& change, const sim::Change* before, const Moment&) -> Finding {
        if (change.kind != kRollouts || is_deleted(change) || !before) return {};
        if (!is_undecided(change) && !is_undecided(*before)) return {};
        const bool may_move =
            deed_of(story, change.version) || is_another_update(change, *before) ||
            bool_at(change, {"status", "abort"}) || bool_at(*before, {"status", "promoteFull"});
        return may_move ? Finding() : stayed_put(change, *before);
      });
}

}  // namespace slipway::scenario
