#include "scenario/simulated/course.h"

#include <algorithm>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "scenario/player/kinds.h"

namespace slipway::scenario {

namespace {

namespace argo = api::argo;

bool differs(const sim::Change& a, const sim::Change& b, std::string_view field) {
  return text_at(a, {"status", field}) != text_at(b, {"status", field});
}

// Its set is up, and will be for a while.
bool waits_to_go(const sim::Change& rollout, const Moment& now) {
  const sim::Change* set = set_of(now, rollout, text_at(rollout, {"status", "currentPodHash"}));
  if (!set) return false;
  const auto deadline = parse_time(annotation_of(*set, argo::kScaleDownDeadline));
  return deadline && *deadline > rollout.time;
}

bool is_active(const sim::Change& rollout, const Moment& now) {
  return !is_canary(rollout) && selected_by(now, stable_service_of(rollout)) ==
                                    text_at(rollout, {"status", "currentPodHash"});
}

std::string_view made_at(const sim::Change& set) {
  return text_at(set, {"metadata", "creationTimestamp"});
}

void note_deed(const Deed& deed, const sim::Change& change, const sim::Change& before,
               Update& update) {
  if (deed.verb == "retry" && bool_at(before, {"status", "abort"})) update.retried = deed.version;
  if (deed.verb == "retry" || deed.verb == "promote --full") update.is_given_up = false;
  if (deed.verb == "promote past")
    for (std::int64_t step = step_of(before); step < step_of(change); ++step)
      update.passed.insert(step);
}

}  // namespace

void Course::forget(const std::string& uid) {
  updates_.erase(uid);
  unaborted_.erase(uid);
}

void Course::take(const sim::Change& change, const sim::Change* before, const Moment& now) {
  if (change.kind != kRollouts) return;
  if (is_deleted(change)) return forget(change.uid);
  Update& update = updates_[change.uid];
  if (!before) return;
  if (const auto stable = text_at(*before, {"status", "stableRS"}); !stable.empty())
    update.stable.emplace(stable);
  const bool was_aborted = bool_at(*before, {"status", "abort"});
  const bool is_aborted = bool_at(change, {"status", "abort"});
  const bool is_new =
      differs(change, *before, "currentPodHash") || differs(change, *before, "currentStepHash");
  if (is_new)
    update = {.hash = std::string(text_at(change, {"status", "currentPodHash"})),
              .begun = change.version,
              .was_active = is_active(change, now),
              .stable = std::move(update.stable)};
  if (is_aborted && !was_aborted) {
    unaborted_[change.uid] = update;
    update.aborted = change.version;
    update.is_given_up = true;
    update.passed.clear();
  }
  const Deed* deed = deed_of(story_, change.version);
  if (deed) note_deed(*deed, change, *before, update);
  const bool is_seen = !text_at(*before, {"status", "abortedAt"}).empty();
  if (deed && deed->verb == "retry" && was_aborted && !is_seen) {
    const store::Version retried = update.retried;
    update = unaborted_[change.uid];
    update.retried = retried;
  }
  if (is_new || (was_aborted && !is_aborted)) update.was_up = waits_to_go(change, now);
}

bool Course::is_promoted_in_full(const sim::Change& rollout) {
  return was_done(story_, rollout.key.name, {"promote --full"}, of(rollout.uid).since(),
                  rollout.version);
}

bool Course::may_be_quick(const sim::Change& rollout, std::string_view stable, const Moment& now) {
  const Update& update = of(rollout.uid);
  const sim::Change* to = set_of(now, rollout, update.hash);
  const sim::Change* from = set_of(now, rollout, stable);
  if (!to || !from || !update.stable.contains(update.hash) || made_at(*to) >= made_at(*from))
    return false;
  if (!is_canary(rollout) && update.was_up) return true;
  const auto sets = now.owned(kReplicaSets, rollout.uid);
  const auto between = std::ranges::count_if(sets, [&](const sim::Change* set) {
    return made_at(*set) > made_at(*to) && made_at(*set) < made_at(*from);
  });
  return between < number_at(rollout.object, {"spec", "rollbackWindow", "revisions"});
}

}  // namespace slipway::scenario
