#include "cli/rollout/changes.h"

#include <fmt/format.h>

#include "analysis/phase.h"
#include "rollout/replicas/steps.h"
#include "rollout/situation.h"

namespace slipway::cli {

namespace {

namespace argo = api::argo;

constexpr std::string_view kUnpause = R"({"spec":{"paused":false}})";

std::string_view name_of(const argo::Rollout& rollout) {
  return json::string_at(rollout.metadata.value, {"name"});
}

// The member of a merge patch that makes it hold for what was seen alone.
std::string seen_version(const argo::Rollout& rollout) {
  const std::string_view version = json::string_at(rollout.metadata.value, {"resourceVersion"});
  if (version.empty()) return {};
  return fmt::format(R"("metadata":{{"resourceVersion":"{}"}},)", version);
}

// Both at once where there is no status subresource.
Change change_status(const argo::Rollout& rollout, std::string_view status, std::string done) {
  const std::string seen = seen_version(rollout);
  return {.status = fmt::format(R"({{{}"status":{{{}}}}})", seen, status),
          .both = fmt::format(R"({{{}"spec":{{"paused":false}},"status":{{{}}}}})", seen, status),
          .done = std::move(done)};
}

Change nothing(std::string done) { return {.done = std::move(done)}; }

std::unexpected<Error> refuse(const argo::Rollout& rollout, std::string_view why) {
  return fail(ErrorCode::kInvalid, fmt::format("rollout \"{}\" {}", name_of(rollout), why));
}

Change promote_fully(const argo::Rollout& rollout) {
  Change change = change_status(rollout, R"("promoteFull":true)", "fully promoted");
  if (rollout.spec.paused) change.spec = kUnpause;
  if (rollout.status.current_pod_hash == rollout.status.stable_rs) change.status.clear();
  return change;
}

// To the step after this one. What paused it is forgotten, or the next pause would be taken for it.
Change promote_step(const argo::Rollout& rollout, bool is_inconclusive) {
  const rollout::StepPosition position = rollout::position_of(rollout);
  if (!position.step) return nothing("has no step to go past");
  const std::string status =
      fmt::format(R"("pauseConditions":null,{}"currentStepIndex":{})",
                  is_inconclusive ? R"("controllerPause":false,)" : "", *position.index + 1);
  return change_status(rollout, status, "promoted");
}

bool is_step_inconclusive(const argo::Rollout& rollout) {
  const auto& run = rollout.status.canary.current_step_analysis_run_status;
  return rollout::is_canary(rollout.spec) && run && run->status == analysis::kInconclusive;
}

}  // namespace

Result<Change> decide_promote(const argo::Rollout& rollout, bool full) {
  const argo::RolloutStatus& status = rollout.status;
  if (status.abort && !rollout::is_fully_promoted(status))
    return refuse(rollout, fmt::format("is aborted; to try the update again: slipway rollout retry "
                                       "{}",
                                       name_of(rollout)));
  const bool is_paused = !status.pause_conditions.empty();
  if (rollout::is_fully_promoted(status) && !rollout.spec.paused && !is_paused)
    return nothing("is promoted already");
  if (full) return promote_fully(rollout);
  if (is_paused && status.controller_pause && is_step_inconclusive(rollout))
    return promote_step(rollout, true);
  if (is_paused || rollout.spec.paused) {
    Change change = change_status(rollout, R"("pauseConditions":null)", "promoted");
    if (rollout.spec.paused) change.spec = kUnpause;
    if (!is_paused) change.status.clear();
    return change;
  }
  if (!rollout::is_canary(rollout.spec)) return nothing("does not wait for a promotion");
  return promote_step(rollout, false);
}

Result<bool> has_gone_past(const argo::Rollout& seen, const argo::Rollout& now, bool full) {
  if (seen.status.current_pod_hash != now.status.current_pod_hash)
    return fail(ErrorCode::kConflict,
                fmt::format("rollout \"{}\" has another update by now; nothing was promoted",
                            name_of(now)));
  if (rollout::is_fully_promoted(now.status)) return true;
  if (full) return false;
  // The end of the pause that was asked for, also when it was our own patch and its answer got
  // lost.
  if (!seen.status.pause_conditions.empty() && now.status.pause_conditions.empty()) return true;
  return rollout::position_of(now).index > rollout::position_of(seen).index;
}

Result<Change> decide_abort(const argo::Rollout& rollout) {
  if (rollout.status.abort) return nothing("is aborted already");
  if (rollout::is_fully_promoted(rollout.status))
    return refuse(rollout, fmt::format("has no update to abort; to go back to an earlier revision: "
                                       "slipway rollout undo {}",
                                       name_of(rollout)));
  constexpr std::string_view kPatch = R"({"status":{"abort":true}})";
  return Change{.status = std::string(kPatch), .both = std::string(kPatch), .done = "aborted"};
}

Result<Change> decide_retry(const argo::Rollout& rollout) {
  if (!rollout.status.abort)
    return refuse(rollout, "is not aborted; there is nothing to try again");
  constexpr std::string_view kPatch = R"({"status":{"abort":false}})";
  return Change{.status = std::string(kPatch), .both = std::string(kPatch), .done = "retried"};
}

Change decide_pause(const argo::Rollout& rollout) {
  if (rollout.spec.paused) return nothing("is paused already");
  return {.spec = R"({"spec":{"paused":true}})", .done = "paused"};
}

Change decide_restart(Time at) {
  // Times of Pods are whole seconds: one that was made within this second is replaced too.
  const std::string time = format_time(std::chrono::ceil<std::chrono::seconds>(at));
  return {.spec = fmt::format(R"({{"spec":{{"restartAt":"{}"}}}})", time),
          .done = "restarts at " + time};
}

}  // namespace slipway::cli
