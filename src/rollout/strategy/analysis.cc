#include "rollout/strategy/analysis.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/kinds/argo_names.h"
#include "rollout/objects/fields.h"
#include "rollout/strategy/attempt.h"
#include "rollout/strategy/revisions.h"

namespace slipway::rollout {

namespace {

struct RoleWords {
  std::string_view type;    // the label
  std::string_view failed;  // the message of an abort
};
RoleWords words_of(RunRole role) {
  switch (role) {
    case RunRole::kBackground:
      return {argo::kTypeBackground, "Background analysis phase error/failed"};
    case RunRole::kStep:
      return {argo::kTypeStep, "Step-based analysis phase error/failed"};
    case RunRole::kPrePromotion:
      return {argo::kTypePrePromotion, "Blue/green pre-promotion analysis phase error/failed"};
    case RunRole::kPostPromotion:
      break;
  }
  return {argo::kTypePostPromotion, "Blue/green post-promotion analysis phase error/failed"};
}

void end(Draft& draft, const Child* run) {
  if (run && !run->is_terminated && !run->is_completed())
    draft.act(EndChild{ChildKind::kRun, run->name, run->uid});
}

bool needs_new_run(const Draft& draft, const Child* run) {
  if (!run || run->is_dropped) return true;
  if (is_resumed(draft.before)) return run->phase == "Inconclusive";
  return draft.before.aborted_at.has_value();
}

CreateRun wanted_run(const Draft& draft, RunRole role, const argo::RolloutAnalysis& analysis) {
  std::string name =
      fmt::format("{}-{}-{}", draft.seen.name(), draft.sets.latest->hash, draft.revision);
  CreateRun run{.role = role,
                .attempt = attempt_of(draft, draft.run(role) ? draft.run(role)->name : ""),
                .analysis = analysis};
  run.labels[std::string(argo::kHashLabel)] = draft.sets.latest->hash;
  run.labels[std::string(argo::kRolloutTypeLabel)] = words_of(role).type;
  if (role == RunRole::kStep) {
    const std::string index = std::to_string(*position_of(draft.rollout).index);
    run.labels[std::string(argo::kStepIndexLabel)] = index;
    name += "-" + index;
  }
  if (role == RunRole::kPrePromotion) name += "-pre";
  if (role == RunRole::kPostPromotion) name += "-post";
  run.name = std::move(name);
  const std::string instance = label_of(draft.seen.document.get_object(), argo::kInstanceIdLabel);
  if (!instance.empty()) run.labels[std::string(argo::kInstanceIdLabel)] = instance;
  run.annotations[std::string(argo::kRevision)] = std::to_string(draft.revision);
  if (analysis.analysis_run_metadata) {
    for (const auto& [key, value] : analysis.analysis_run_metadata->labels) run.labels[key] = value;
    for (const auto& [key, value] : analysis.analysis_run_metadata->annotations)
      run.annotations[key] = value;
  }
  if (draft.rollout.spec.selector)
    for (const auto& [key, value] : texts_at(draft.rollout.spec.selector->value, {"matchLabels"}))
      run.labels[key] = value;
  return run;
}

void heed_failure(Draft& draft, RunRole role) {
  const Child& run = *draft.run(role);
  if (run.is_dropped || (run.phase != "Failed" && run.phase != "Error")) return;
  std::string message(words_of(role).failed);
  if (!run.message.empty()) message += ": " + run.message;
  draft.pauses.abort(std::move(message));
}

// What a verdict means.
void judge(Draft& draft, RunRole role) {
  if (draft.run(role)->phase == "Inconclusive") draft.pauses.add.push_back(kInconclusiveAnalysis);
  heed_failure(draft, role);
}

enum class Want { kNone, kKeep, kRun };  // kKeep: as it is, without a new one

void decide_role(Draft& draft, RunRole role, Want want, const argo::RolloutAnalysis* analysis) {
  if (draft.has_to_create()) return;
  if (want == Want::kNone) draft.runs.erase(role);
  if (want == Want::kKeep && draft.run(role)) heed_failure(draft, role);
  if (want != Want::kRun) return;
  if (needs_new_run(draft, draft.run(role)) && !draft.seen.made_runs.contains(role)) {
    draft.plan.create = wanted_run(draft, role, *analysis);
    return;
  }
  if (draft.run(role)) judge(draft, role);
}

argo::RolloutAnalysis plain(const argo::RolloutAnalysisBackground& analysis) {
  return {.templates = analysis.templates,
          .args = analysis.args,
          .dry_run = analysis.dry_run,
          .measurement_retention = analysis.measurement_retention,
          .analysis_run_metadata = analysis.analysis_run_metadata};
}

Want want_of_step(const Draft& draft) {
  if (!draft.before.pause_conditions.empty() || draft.before.abort) return Want::kKeep;
  const StepPosition position = position_of(draft.rollout);
  if (!position.step || !position.step->analysis || position.step->analysis->templates.empty())
    return Want::kNone;
  return Want::kRun;
}

void decide_canary_runs(Draft& draft) {
  const argo::CanaryStrategy& canary = *draft.rollout.spec.strategy.canary;
  const StepPosition position = position_of(draft.rollout);
  const Want step = want_of_step(draft);
  // Promoted past its step, it is no longer the current one.
  if (const Child* run = draft.run(RunRole::kStep);
      step == Want::kRun && run && run->step_index != std::to_string(*position.index))
    draft.runs.erase(RunRole::kStep);
  decide_role(draft, RunRole::kStep, step,
              step == Want::kRun ? &*position.step->analysis : nullptr);

  const bool has = canary.analysis && !canary.analysis->templates.empty();
  const argo::RolloutAnalysis analysis = has ? plain(*canary.analysis) : argo::RolloutAnalysis();
  const Want background = !has || is_before_background(draft.rollout)       ? Want::kNone
                          : find_pause(draft.before, kInconclusiveAnalysis) ? Want::kKeep
                                                                            : Want::kRun;
  decide_role(draft, RunRole::kBackground, background, &analysis);
}

bool skips_pre_promotion(const Draft& draft) {
  const std::string& active = draft.before.blue_green.active_selector;
  const ReplicaSet& latest = *draft.sets.latest;
  if (draft.before.stable_rs == latest.hash || active.empty() || active == latest.hash) return true;
  if (draft.run(RunRole::kPrePromotion)) return false;
  const auto& preview = draft.rollout.spec.strategy.blue_green->preview_replica_count;
  if (preview) return latest.replicas != *preview || certain_of(latest) != *preview;
  return !is_saturated(&latest, replicas_of(draft.rollout.spec));
}

void decide_promotion_run(Draft& draft, RunRole role,
                          const std::optional<argo::RolloutAnalysis>& analysis, bool skips) {
  if (draft.has_to_create()) return;
  if (!analysis || analysis->templates.empty())
    return decide_role(draft, role, Want::kNone, nullptr);
  if (skips) {
    end(draft, draft.run(role));  // but it is kept in the status
    return;
  }
  const bool waits = find_pause(draft.before, kInconclusiveAnalysis);
  decide_role(draft, role, waits ? Want::kKeep : Want::kRun, &*analysis);
}

void cancel_all(Draft& draft) {
  draft.runs.erase(RunRole::kStep);
  draft.runs.erase(RunRole::kBackground);
  for (const auto& [role, run] : draft.runs) end(draft, run);
}

bool has_nothing_to_analyse(const Draft& draft) {
  return is_fully_promoted(draft.before) || !draft.sets.stable || draft.is_aborted() ||
         draft.before.promote_full || is_fast_rollback(draft);
}

void tell_change(Draft& draft, RunRole role,
                 const std::optional<argo::RolloutAnalysisRunStatus>& before) {
  const Child* run = draft.run(role);
  if (!run || run->phase.empty()) return;
  if (before && (before->name != run->name || before->status == run->phase)) return;
  draft.say("AnalysisRun" + run->phase,
            fmt::format("{} Analysis Run '{}' Status New: '{}' Previous: '{}'", words_of(role).type,
                        run->name, run->phase, before ? before->status : "NoPreviousStatus"),
            run->phase == "Failed" || run->phase == "Error");
}

void record(Draft& draft, RunRole role, const std::optional<argo::RolloutAnalysisRunStatus>& before,
            std::optional<argo::RolloutAnalysisRunStatus>& after) {
  tell_change(draft, role, before);
  if (const Child* run = draft.run(role))
    after = {.name = run->name, .status = run->phase, .message = run->message};
}

// Runs that do not count end, and go in their time.
void retire_others(Draft& draft) {
  std::vector<const Child*> others;
  for (const Child& run : draft.seen.runs) {
    const bool counts = std::ranges::any_of(
        draft.runs, [&](const auto& current) { return current.second == &run; });
    if (counts) continue;
    end(draft, &run);
    others.push_back(&run);
  }
  for (const Child* run : find_expired(std::move(others), draft))
    draft.act(RemoveChild{ChildKind::kRun, run->name, run->uid});
}

}  // namespace

bool is_pre_promotion_done(const Draft& draft) {
  const auto& analysis = draft.rollout.spec.strategy.blue_green->pre_promotion_analysis;
  if (!analysis || analysis->templates.empty()) return true;
  const Child* run = draft.run(RunRole::kPrePromotion);
  return run && run->has_passed();
}

bool skips_post_promotion(const Draft& draft) {
  const ReplicaSet& latest = *draft.sets.latest;
  if (draft.before.stable_rs == latest.hash ||
      draft.before.blue_green.active_selector != latest.hash)
    return true;
  if (draft.run(RunRole::kPostPromotion)) return false;
  return !is_saturated(&latest, replicas_of(draft.rollout.spec));
}

std::vector<const Child*> find_expired(std::vector<const Child*> children, const Draft& draft) {
  std::ranges::sort(children, std::greater(),
                    [](const Child* child) { return std::pair(child->created, child->name); });
  Count successful = 0, unsuccessful = 0;
  std::vector<const Child*> expired;
  for (const Child* child : children) {
    if (child->is_deleting) continue;
    const ReplicaSet* set = find_by_hash(draft.sets.all, child->hash);
    if (!set || set->is_deleting) {
      expired.push_back(child);
      continue;
    }
    if (!child->is_completed()) continue;
    const bool good = child->phase == "Successful";
    const Count limit =
        good ? successful_limit_of(draft.rollout.spec) : unsuccessful_limit_of(draft.rollout.spec);
    if (++(good ? successful : unsuccessful) > limit) expired.push_back(child);
  }
  return expired;
}

void decide_analysis(Draft& draft) {
  if (has_nothing_to_analyse(draft)) {
    cancel_all(draft);
  } else if (is_canary(draft.rollout.spec)) {
    decide_canary_runs(draft);
  } else {
    const argo::BlueGreenStrategy& strategy = *draft.rollout.spec.strategy.blue_green;
    decide_promotion_run(draft, RunRole::kPrePromotion, strategy.pre_promotion_analysis,
                         skips_pre_promotion(draft));
    decide_promotion_run(draft, RunRole::kPostPromotion, strategy.post_promotion_analysis,
                         skips_post_promotion(draft));
  }
  if (draft.has_to_create()) return;
  retire_others(draft);
  const argo::RolloutStatus& before = draft.before;
  argo::RolloutStatus& after = draft.status;
  record(draft, RunRole::kBackground, before.canary.current_background_analysis_run_status,
         after.canary.current_background_analysis_run_status);
  record(draft, RunRole::kStep, before.canary.current_step_analysis_run_status,
         after.canary.current_step_analysis_run_status);
  record(draft, RunRole::kPrePromotion, before.blue_green.pre_promotion_analysis_run_status,
         after.blue_green.pre_promotion_analysis_run_status);
  record(draft, RunRole::kPostPromotion, before.blue_green.post_promotion_analysis_run_status,
         after.blue_green.post_promotion_analysis_run_status);
}

}  // namespace slipway::rollout
