#include <fmt/format.h>

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

}  // namespace slipway::scenario
