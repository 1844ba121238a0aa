#include "rollout/status/progress.h"

#include <fmt/format.h>

#include <algorithm>

#include "rollout/status/conditions.h"

namespace slipway::rollout {

namespace {

// What takes its time does not count as lack of progress.
bool may_take_long(const Draft& draft) {
  const StepPosition position = position_of(draft.rollout);
  if (position.step && is_indefinite(*position.step)) return true;
  if (draft.rollout.spec.paused || !draft.before.pause_conditions.empty() ||
      !draft.status.pause_conditions.empty())
    return true;
  return std::ranges::any_of(draft.sets.others,
                             [](const ReplicaSet* set) { return set->has_deadline(); });
}

std::optional<Time> deadline_of(const argo::Rollout& rollout, const argo::Condition* progress) {
  if (!progress || progress->reason == kAbortedReason || progress->reason == kPausedReason)
    return std::nullopt;
  return progress->last_update_time + std::chrono::seconds(progress_deadline_of(rollout.spec));
}

// That one got through; the time of what follows begins when that is first seen.
bool is_of_update_before(const argo::Condition* progress) {
  return progress && progress->reason == kNewSetAvailableReason;
}

bool is_timed_out(const Draft& draft, const argo::Condition* progress) {
  if (progress && progress->reason == kTimedOutReason) return true;
  if (is_of_update_before(progress)) return false;
  const auto deadline = deadline_of(draft.rollout, progress);
  return deadline && draft.seen.now >= *deadline;
}

std::string timed_out_message(const Draft& draft) {
  return draft.sets.latest
             ? fmt::format("ReplicaSet \"{}\" has timed out progressing.", draft.sets.latest->name)
             : fmt::format("Rollout \"{}\" has timed out progressing.", draft.seen.name());
}

// And what is known of the reason: the Pod that could tell may be gone soon.
std::string with_reason(const Draft& draft, std::string message) {
  if (!draft.seen.pod_problem.empty()) message += " " + draft.seen.pod_problem;
  return message;
}

// Progress is worth the time it was seen at, so this condition is renewed where others stay.
void renew(Draft& draft, bool became_unhealthy) {
  const bool was_through =
      became_unhealthy && draft.status.stable_rs == draft.status.current_pod_hash;
  const argo::Condition* before = find_condition(draft.before, kProgressing);
  const bool was_so = before && before->status == "True";
  const Time since = was_so ? before->last_transition_time : draft.seen.now;
  remove_condition(draft.status, kProgressing);
  draft.status.conditions.push_back(
      {.type = std::string(kProgressing),
       .status = "True",
       .last_update_time = draft.seen.now,
       .last_transition_time = since,
       .reason = was_through ? "ReplicaSetNotAvailable" : "ReplicaSetUpdated",
       .message = was_through ? "Rollout does not have minimum availability"
                  : draft.sets.latest
                      ? fmt::format("ReplicaSet \"{}\" is progressing.", draft.sets.latest->name)
                      : fmt::format("Rollout \"{}\" is progressing.", draft.seen.name())});
}

// The condition has Argo's words; the event says what is known of the reason, too.
void tell_time_out(Draft& draft) {
  std::string message = timed_out_message(draft);
  if (!set_condition(draft.status, {kProgressing, "False", kTimedOutReason, message},
                     draft.seen.now))
    return;
  draft.say(std::string(kTimedOutReason), with_reason(draft, std::move(message)), true);
}

}  // namespace

bool is_time_up(const argo::Rollout& rollout, Time now) {
  const argo::Condition* progress = find_condition(rollout.status, kProgressing);
  if (!progress || progress->reason == kTimedOutReason || is_of_update_before(progress))
    return false;
  const auto deadline = deadline_of(rollout, progress);
  return deadline && now >= *deadline;
}

void decide_progress(Draft& draft, bool became_unhealthy) {
  if (is_healthy(draft.rollout, draft.status)) {
    const std::string name = draft.sets.latest ? draft.sets.latest->name : std::string();
    set_condition(draft.status,
                  {kProgressing, "True", kNewSetAvailableReason,
                   fmt::format("ReplicaSet \"{}\" has successfully progressed.", name)},
                  draft.seen.now);
    return;
  }
  if (is_getting_on(draft.rollout, draft.status) || became_unhealthy ||
      is_of_update_before(find_condition(draft.status, kProgressing)))
    renew(draft, became_unhealthy);
  else if (!may_take_long(draft) && is_timed_out(draft, find_condition(draft.status, kProgressing)))
    tell_time_out(draft);
  const argo::Condition* progress = find_condition(draft.status, kProgressing);
  if (!may_take_long(draft) && progress && progress->reason != kTimedOutReason)
    draft.look_again(deadline_of(draft.rollout, progress));
}

void decide_deadline_abort(Draft& draft) {
  if (!draft.rollout.spec.progress_deadline_abort || !draft.sets.stable || draft.is_aborted())
    return;
  if (is_fully_promoted(draft.status) || is_getting_on(draft.rollout, draft.status) ||
      may_take_long(draft) || !is_timed_out(draft, find_condition(draft.before, kProgressing)))
    return;
  const std::string message = with_reason(draft, timed_out_message(draft));
  draft.say(std::string(kTimedOutReason), message, true);
  draft.pauses.abort(message);
}

}  // namespace slipway::rollout
