#include "scenario/simulated/broken_controllers.h"

#include <map>
#include <set>

#include "scenario/player/kinds.h"

namespace slipway::scenario {

namespace {

using Verb = Write::Verb;

bool is_true(const json::Object& status, std::string_view field) {
  const json::Value* found = status.if_contains(field);
  return found && found->is_bool() && found->get_bool();
}

std::string text_in(const json::Object& status, std::string_view field) {
  return std::string(json::string_at(status, {field}));
}

bool is_at_step(const json::Object& status, std::int64_t step) {
  const json::Value* found = status.if_contains("currentStepIndex");
  return found && *found == step;
}

// The number that a patch is to scale a set to; null when it is no such patch.
json::Value* scaling(const Write& write) {
  if (write.kind != kReplicaSets || write.verb != Verb::kPatch) return nullptr;
  return json::at(write.body, {"spec", "replicas"});
}

json::Value* selected(const Write& write, std::string_view service) {
  if (write.kind != kServices || write.verb != Verb::kPatch || write.key.name != service)
    return nullptr;
  return json::at(write.body, {"spec", "selector", "rollouts-pod-template-hash"});
}

// Traffic

void loses_traffic(const Write& write) {
  if (write.kind != kHttpRoutes || write.verb != Verb::kUpdate) return;
  json::Value& weight = write.body.at_pointer("/spec/rules/0/backendRefs/0/weight");
  if (weight.is_int64() && weight.get_int64() > 0) weight = weight.get_int64() - 1;
}

void selects_nobody(const Write& write) {
  if (json::Value* hash = selected(write, "canary")) *hash = "nobody";
}

Spoiler keeps_the_route() {
  return [had = false](const Write& write) mutable {
    if (write.kind != kHttpRoutes || write.verb != Verb::kUpdate) return;
    json::Value& stable = write.body.at_pointer("/spec/rules/0/backendRefs/0/weight");
    json::Value& canary = write.body.at_pointer("/spec/rules/0/backendRefs/1/weight");
    had = had || canary != 0;
    if (!had || canary != 0) return;
    stable = 40;
    canary = 60;
  };
}

void says_that_it_has_weight(const Write& write) {
  json::Object* status = write.rollout_status();
  if (!status || !is_true(*status, "abort")) return;
  json::Value* weights = json::at(status->at("canary"), {"weights"});
  if (!weights) return;
  weights->at("canary").as_object()["weight"] = 20;
  weights->at("stable").as_object()["weight"] = 80;
}

// The active Service turns once, and never back.
Spoiler stays_active() {
  return [hashes = std::vector<std::string>()](const Write& write) mutable {
    json::Value* hash = selected(write, "active");
    if (!hash) return;
    if (hashes.size() > 1) *hash = hashes.back();
    const std::string now(hash->as_string());
    if (hashes.empty() || hashes.back() != now) hashes.push_back(now);
  };
}

// Verdicts

void passes_by(const Write& write) {
  json::Object* status = write.rollout_status();
  if (status && json::at(*status, {"canary", "currentStepAnalysisRunStatus"}) &&
      is_at_step(*status, 1))
    (*status)["currentStepIndex"] = 2;
}

void goes_on_undecided(const Write& write) {
  json::Object* status = write.rollout_status();
  if (status && text_in(*status, "message") == "InconclusiveAnalysisRun")
    (*status)["currentStepIndex"] = 2;
}

// What was measured before an abort is good enough after it.
Spoiler measures_once() {
  return [was_aborted = false](const Write& write) mutable {
    json::Object* status = write.rollout_status();
    if (!status) return;
    was_aborted = was_aborted || is_true(*status, "abort");
    if (was_aborted && is_at_step(*status, 3)) (*status)["currentStepIndex"] = 4;
  };
}

// Waits with the promotion until the analysis has failed.
Spoiler promotes_the_failed() {
  return [stable = std::string()](const Write& write) mutable {
    json::Object* status = write.rollout_status();
    if (!status || !status->contains("stableRS")) return;
    if (stable.empty()) stable = text_in(*status, "stableRS");
    (*status)["stableRS"] = stable;
    if (!is_true(*status, "abort")) return;
    (*status)["abort"] = false;
    json::erase(*status, "abortedAt");
    stable = text_in(*status, "currentPodHash");
    (*status)["stableRS"] = stable;
  };
}

void calls_it_stable_at_once(const Write& write) {
  json::Object* status = write.rollout_status();
  if (status && text_in(*status, "stableRS").empty())
    (*status)["stableRS"] = text_in(*status, "currentPodHash");
}

// Of a version that comes again.
Spoiler when_it_returns(void (*spoils)(json::Object& status)) {
  return
      [spoils, hash = std::string(), seen = std::set<std::string>()](const Write& write) mutable {
        json::Object* status = write.rollout_status();
        if (!status) return;
        const std::string now = text_in(*status, "currentPodHash");
        const bool is_new = std::exchange(hash, now) != now;
        if (!seen.insert(now).second && is_new && now != text_in(*status, "stableRS"))
          spoils(*status);
      };
}
void makes_stable(json::Object& status) { status["stableRS"] = text_in(status, "currentPodHash"); }
void goes_to_step_2(json::Object& status) { status["currentStepIndex"] = 2; }

// Wishes

Spoiler takes_the_wish_along() {
  return [hash = std::string(), wished = false](const Write& write) mutable {
    json::Object* status = write.rollout_status();
    if (!status) return;
    const std::string now = text_in(*status, "currentPodHash");
    if (std::exchange(hash, now) != now && wished) (*status)["promoteFull"] = true;
    wished = is_true(*status, "promoteFull");
  };
}

void keeps_the_aborted(const Write& write) {
  json::Object* status = write.rollout_status();
  if (status && is_true(*status, "abort")) (*status)["stableRS"] = status->at("currentPodHash");
}

void forgets_the_abort(const Write& write) {
  json::Object* status = write.rollout_status();
  if (!status || !is_true(*status, "abort")) return;
  (*status)["abort"] = false;
  json::erase(*status, "abortedAt");
}

void retries_by_itself(const Write& write) {
  json::Object* status = write.rollout_status();
  if (status && is_true(*status, "abort")) (*status)["abort"] = false;
}

void waits_all_the_same(const Write& write) {
  json::Object* status = write.rollout_status();
  if (!status || !is_true(*status, "promoteFull")) return;
  (*status)["promoteFull"] = false;
  (*status)["currentStepIndex"] = 1;
  (*status)["controllerPause"] = true;
  (*status)["phase"] = "Paused";
  (*status)["pauseConditions"] = json::Array{
      json::Object{{"reason", "CanaryPauseStep"}, {"startTime", "2026-01-01T00:00:00Z"}}};
}

void gives_up_all_the_same(const Write& write) {
  json::Object* status = write.rollout_status();
  if (!status || !is_true(*status, "promoteFull")) return;
  (*status)["promoteFull"] = false;
  (*status)["abort"] = true;
}

// Steps

void begins_again(const Write& write) {
  json::Object* status = write.rollout_status();
  if (status && is_at_step(*status, 3)) (*status)["currentStepIndex"] = 0;
}

void skips_a_step(const Write& write) {
  json::Object* status = write.rollout_status();
  if (status && is_at_step(*status, 1)) (*status)["currentStepIndex"] = 2;
}

Spoiler begins_late() {
  return [hash = std::string()](const Write& write) mutable {
    json::Object* status = write.rollout_status();
    if (!status) return;
    const std::string now = text_in(*status, "currentPodHash");
    const std::string last = std::exchange(hash, now);
    if (!last.empty() && last != now) (*status)["currentStepIndex"] = 1;
  };
}

void goes_on_aborted(const Write& write) {
  json::Object* status = write.rollout_status();
  if (status && is_true(*status, "abort")) (*status)["currentStepIndex"] = 2;
}

void stops_before_the_end(const Write& write) {
  json::Object* status = write.rollout_status();
  if (status && is_true(*status, "promoteFull")) (*status)["currentStepIndex"] = 3;
}

// Things

Spoiler makes_two(const api::Gvr& kind) {
  return [&kind](const Write& write) {
    write.more = write.verb == Verb::kCreate && write.kind == kind;
  };
}

// What is measured at a step is measured in the background, where there is something already. A few
// times only: a step that looks for its run in vain makes the next one, for as long as it may.
Spoiler watches_twice() {
  return [left = 3](const Write& write) mutable {
    if (write.kind != kAnalysisRuns || write.verb != Verb::kCreate) return;
    json::Object& labels = json::object_at(write.body, {"metadata", "labels"});
    if (!labels.contains("step-index") || left-- <= 0) return;
    labels["rollout-type"] = "Background";
    json::erase(labels, "step-index");
  };
}

Spoiler removes_what_it_should_scale_down() {
  return [sizes = std::map<std::string, std::int64_t>()](const Write& write) mutable {
    json::Value* replicas = scaling(write);
    if (!replicas) return;
    const std::int64_t now = replicas->as_int64();
    write.more = now < std::exchange(sizes[write.key.name], now);
  };
}

// Pods

Spoiler scales(std::int64_t from, std::int64_t to) {
  return [from, to](const Write& write) {
    json::Value* replicas = scaling(write);
    if (replicas && *replicas == from) *replicas = to;
  };
}

// It would be scaled for ever else.
Spoiler scales_once(std::int64_t from, std::int64_t to) {
  return [from, to, done = false](const Write& write) mutable {
    json::Value* replicas = scaling(write);
    if (!replicas || *replicas != from || done) return;
    *replicas = to;
    done = true;
  };
}

void surges(const Write& write) {
  json::Value* replicas = scaling(write);
  if (replicas && replicas->as_int64() > 0) *replicas = replicas->as_int64() + 2;
}

void restarts_all_at_once(const Write& write) {
  write.more = write.kind == kPods && write.verb == Verb::kRemove;
}

// Ends

Spoiler says(std::string_view phase) {
  return [phase](const Write& write) {
    json::Object* status = write.rollout_status();
    if (status && (*status)["phase"] == "Healthy") (*status)["phase"] = phase;
  };
}

// The pause that has an end.
void pauses_for_ever(const Write& write) {
  json::Object* status = write.rollout_status();
  if (!status || !is_at_step(*status, 3)) return;
  json::Value* pauses = status->if_contains("pauseConditions");
  if (pauses && pauses->is_array() && !pauses->get_array().empty())
    pauses->get_array()[0].as_object()["startTime"] = "2100-01-01T00:00:00Z";
}

// Scripts

constexpr std::string_view kWishOfBefore = R"(
apply  error-rate.yaml
apply  step-analysis.yaml
metric prometheus error_rate 0.001
unready web:v2
at 1m  set image web web:v2
at 2m  promote web --full
at 3m  set image web web:v3
)";
constexpr std::string_view kAnalysedQuickly = R"(
apply  error-rate.yaml
apply  step-analysis.yaml
metric prometheus error_rate 0.001
at 1m  set image web web:v2
)";
constexpr std::string_view kPassedAnother = R"(
apply  error-rate.yaml
apply  step-analysis.yaml
metric prometheus error_rate 0.2
unready web:v2
at 1m  set image web web:v2
at 2m  promote web
at 3m  ready web:v2
)";
constexpr std::string_view kPassedOneOfMany = R"(
apply  error-rate.yaml
apply  analysed.yaml
metric prometheus error_rate 0.001
unready web:v2
at 1m  set image web web:v2
at 2m  promote web
at 3m  ready web:v2
at 5m  promote web
at 20m metric prometheus error_rate 0.3
)";
constexpr std::string_view kAbortedNearTheEnd = R"(
apply  error-rate.yaml
apply  analysed.yaml
metric prometheus error_rate 0.001
at 1m  set image web web:v2
at 3m  promote web
at 5m  unready web:v2
at 8m  abort web
at 9m  ready web:v2
at 12m retry web
at 15m promote web
)";
constexpr std::string_view kAbortedInThePause = R"(
apply  error-rate.yaml
apply  analysed.yaml
metric prometheus error_rate 0.001
at 1m  set image web web:v2
at 3m  abort web
)";
constexpr std::string_view kResumed = R"(
apply  error-rate.yaml
apply  analysed.yaml
metric prometheus error_rate 0.001
at 1m  set image web web:v2
at 4m  promote web
)";
constexpr std::string_view kAbortedAndPromoted = R"(
apply  canary.yaml
at 1m  set image web web:v2
at 3m  abort web
at 6m  promote web
)";
constexpr std::string_view kBackAfterLong = R"(
apply  error-rate.yaml
apply  blue-green.yaml
metric prometheus error_rate 0.001
at 1m  set image web web:v2
at 20m set image web web:v1
)";
constexpr std::string_view kPromotedInFull = R"(
apply  canary.yaml
at 1m  set image web web:v2
at 3m  promote web --full
)";
constexpr std::string_view kScaledFromNothing = R"(
apply  canary.yaml
at 2m  scale web 0
at 4m  scale web 5
at 6m  set image web web:v2
)";
constexpr std::string_view kScaledDown = R"(
apply  canary.yaml
at 2m  scale web 10
at 4m  scale web 5
at 6m  set image web web:v2
)";
constexpr std::string_view kRestartedBefore = R"(
apply  canary.yaml
at 2m  restart web
at 12m set image web web:v2
)";
constexpr std::string_view kWellAgain = R"(
apply  canary.yaml
at 2m  unready web:v1
at 3m  ready web:v1
at 6m  set image web web:v2
)";
constexpr std::string_view kRoutedWellAgain = R"(
apply  routed-objects.yaml
apply  routed.yaml
at 2m  unready web:v1
at 3m  ready web:v1
at 6m  set image web web:v2
)";
constexpr std::string_view kRestartedActive = R"(
apply  error-rate.yaml
apply  blue-green.yaml
at 2m  restart web
)";
constexpr std::string_view kScaledActive = R"(
apply  error-rate.yaml
apply  blue-green.yaml
at 2m  scale web 4
)";
constexpr std::string_view kScaledRouted = R"(
apply  routed-objects.yaml
apply  routed.yaml
at 2m  scale web 6
)";
constexpr std::string_view kRoutedAborted = R"(
apply  routed-objects.yaml
apply  routed.yaml
at 1m  set image web web:v2
at 3m  promote web
at 5m  abort web
)";
constexpr std::string_view kFailsAfterTheSwitch = R"(
apply  error-rate.yaml
apply  blue-green-manual.yaml
metric prometheus error_rate 0.5
at 1m  set image web web:v2
at 2m  promote web
)";

}  // namespace

const std::vector<Broken>& broken_controllers() {
  static const std::vector<Broken> all{
      {"LosesTraffic", "weights_do_not_add_up", "routed-weights", loses_traffic},

      {"PassesAVerdictBy", "promoted_unproven", "analysis-step-fails", passes_by},
      {"TakesAnEndForAVerdict", "promoted_unproven", kAnalysedQuickly, passes_by},
      {"TakesTheVerdictOfBefore", "promoted_unproven", kAbortedNearTheEnd, measures_once()},
      {"TakesAWishAlong", "promoted_unproven", kWishOfBefore, takes_the_wish_along()},
      {"PassesAnotherStepBy", "promoted_unproven", kPassedAnother, passes_by},
      {"PromotesTheFailed", "promoted_unproven", kPassedOneOfMany, promotes_the_failed()},
      {"DeploysBeforeItIsUp", "promoted_unproven", "canary-basic", calls_it_stable_at_once},
      {"GoesBackToWhatHasGone", "promoted_unproven", kBackAfterLong, when_it_returns(makes_stable)},

      {"KeepsTheAborted", "aborted_became_stable", "canary-abort-retry", keeps_the_aborted},
      {"ForgetsTheAbort", "aborted_became_stable", kAbortedAndPromoted, forgets_the_abort},

      {"BeginsAgain", "steps_out_of_order", "canary-promote", begins_again},
      {"SkipsAStep", "steps_out_of_order", "canary-promote", skips_a_step},
      {"BeginsLate", "steps_out_of_order", "canary-promote", begins_late()},
      {"SkipsForward", "steps_out_of_order", "rollback-window", skips_a_step},
      {"GoesBackBeyondTheWindow", "steps_out_of_order", "rollback-window",
       when_it_returns(goes_to_step_2)},
      {"GoesBackToTheAborted", "steps_out_of_order", "rollback-refused",
       when_it_returns(goes_to_step_2)},
      {"SkipsWhatWasWished", "steps_out_of_order", kWishOfBefore, takes_the_wish_along()},
      {"GoesOnAborted", "steps_out_of_order", "canary-abort-retry", goes_on_aborted},
      {"StopsBeforeTheEnd", "steps_out_of_order", kPromotedInFull, stops_before_the_end},

      {"GoesOnUndecided", "moved_undecided", "background-inconclusive", goes_on_undecided},

      {"MakesTwoRuns", "made_twice", "analysis-passes", makes_two(kAnalysisRuns)},
      {"MakesTwoExperiments", "made_twice", "experiment-step-passes", makes_two(kExperiments)},
      {"MakesTwoSets", "made_twice", "canary-basic", makes_two(kReplicaSets)},
      {"WatchesTwiceWhenResumed", "made_twice", kResumed, watches_twice()},
      {"WatchesTwiceWhenAborted", "made_twice", kAbortedInThePause, retries_by_itself},
      {"RemovesWhatIsInUse", "made_twice", "canary-basic", removes_what_it_should_scale_down()},

      {"Surges", "too_many_pods", "canary-promote", surges},
      {"SurgesOnceScaledDown", "too_many_pods", kScaledDown, scales(1, 3)},

      {"DropsTooSoon", "too_few_pods", "canary-promote", scales(4, 1)},
      {"DropsTooSoonOnceAtNothing", "too_few_pods", kScaledFromNothing, scales(4, 1)},
      {"DropsTooSoonOnceRestarted", "too_few_pods", kRestartedBefore, scales(4, 3)},
      {"DropsTooSoonOnceIll", "too_few_pods", kWellAgain, scales(4, 1)},
      {"DropsTheActive", "too_few_pods", kScaledActive, scales_once(4, 1)},
      {"DropsTheStable", "too_few_pods", kScaledRouted, scales_once(6, 1)},

      {"SelectsNobody", "traffic_to_nobody", "routed-weights", selects_nobody},
      {"SelectsNobodyOnceIll", "traffic_to_nobody", kRoutedWellAgain, selects_nobody},
      {"RestartsAllAtOnce", "traffic_to_nobody", kRestartedActive, restarts_all_at_once},

      {"NeverSaysSo", "does_not_end", "canary-basic", says("Progressing")},
      {"IsDegradedForNothing", "does_not_end", "canary-basic", says("Degraded")},
      {"PausesForEver", "does_not_end", "canary-promote", pauses_for_ever},
      {"WaitsAllTheSame", "does_not_end", kPromotedInFull, waits_all_the_same},
      {"GivesUpAllTheSame", "does_not_end", kPromotedInFull, gives_up_all_the_same},
      {"KeepsTheRoute", "does_not_end", kRoutedAborted, keeps_the_route()},
      {"SaysThatItHasWeight", "does_not_end", kRoutedAborted, says_that_it_has_weight},
      {"StaysActive", "does_not_end", kFailsAfterTheSwitch, stays_active()},
      {"KeepsTheOld", "does_not_end", "blue-green-passes", scales(0, 1)}};
  return all;
}

}  // namespace slipway::scenario
