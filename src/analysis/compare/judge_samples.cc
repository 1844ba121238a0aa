#include "analysis/compare/judge_samples.h"

#include <fmt/format.h>

#include <numeric>

#include "analysis/compare/learn.h"
#include "analysis/compare/placebo.h"
#include "analysis/compare/verdict.h"
#include "analysis/due.h"
#include "analysis/phase.h"
#include "analysis/run_rules.h"
#include "judge/kayenta/classify.h"
#include "judge/mann_whitney.h"
#include "judge/sequential/effects.h"
#include "judge/sequential/sequential.h"

namespace slipway::analysis {
namespace {

using judge::Engine;
using judge::Material;

Missing missing_in(const Samples& samples) {
  const bool control = samples.control.empty(samples.material);
  const bool experiment = samples.experiment.empty(samples.material);
  if (control && experiment) return samples.no_series ? Missing::kSeries : Missing::kBoth;
  return control ? Missing::kControl : experiment ? Missing::kExperiment : Missing::kNone;
}

bool is_last_look(const Look& look) {
  const auto planned = count_of(look.asked());
  if (!planned) return false;
  const auto* result = result_of(look.run, look.asked().name);
  return (result ? result->count : 0) + 1 >= *planned;
}

Looked looked(const Look& look, Outcome outcome, const Samples& samples) {
  return {.measurement = {.phase = std::string(outcome.phase),
                          .message = std::move(outcome.message),
                          .started_at = look.started,
                          .finished_at = look.now,
                          .samples = {.value = to_json(samples)}}};
}

double sum(const judge::Series& series) {
  return std::accumulate(series.values.begin(), series.values.end(), 0.0);
}

judge::Evidence evidence_of(Engine engine, const Samples& samples) {
  const SideSamples& control = samples.control;
  const SideSamples& experiment = samples.experiment;
  switch (samples.material) {
    case Material::kCounts:
      return {
          .control = {.events = sum(control.points), .exposure = sum(control.exposure)},
          .experiment = {.events = sum(experiment.points), .exposure = sum(experiment.exposure)}};
    case Material::kDistribution:
      return {.control = {.buckets = control.buckets},
              .experiment = {.buckets = experiment.buckets}};
    case Material::kSeries:
      break;
  }
  if (engine == Engine::kSignedRank) return judge::pair_up(control.points, experiment.points);
  return {.control = {.points = control.points.values},
          .experiment = {.points = experiment.points.values}};
}

// A look that brought nothing is over all the same. One that was planned hands on what it did not
// spend; a test that holds at any look has no shares, and counts the looks that it judged alone.
void skip(Look& look) {
  if (look.settings.planned) ++look.state.skipped;
}

// At the first look with data, and for good: later looks are of the same test.
Engine engine_of(Look& look, const Samples& samples) {
  if (look.settings.method == Method::kSequential) return look.settings.plan.engine;
  if (const auto chosen = judge::parse_engine(look.state.method)) return *chosen;
  const bool pairs =
      !samples.other_clock && judge::aligned(samples.control.points, samples.experiment.points);
  const Engine engine = judge::choose_engine(samples.material, pairs);
  look.state.method = judge::to_string(engine);
  return engine;
}

// The material of a look that does not fit the engine chosen at an earlier one.
bool fits(Engine engine, Material material) {
  if (engine == Engine::kCounts) return material == Material::kCounts;
  if (engine == Engine::kDistribution) return material != Material::kCounts;
  return material == Material::kSeries;
}

Result<judge::Answer> take(Look& look, const judge::Plan& plan, const Samples& samples) {
  const Engine engine = plan.engine;
  if (!fits(engine, samples.material))
    return fail(ErrorCode::kInvalid, fmt::format("the sources no longer give what {} compares",
                                                 judge::to_string(engine)));
  auto monitor = judge::Monitor::start(plan, std::move(look.state.judge));
  if (!monitor) return std::unexpected(std::move(monitor).error());
  // Earlier versions counted those of endless comparisons as well, until no look was left.
  if (!look.settings.planned) look.state.skipped = 0;
  for (; look.state.skipped > 0; --look.state.skipped) SLIPWAY_TRY(monitor->look({}));
  auto answer = monitor->look(evidence_of(engine, samples));
  if (!answer) return answer;
  answer->effect = judge::sequential_effect(monitor->plan(), monitor->state());
  look.state.judge = monitor->state();
  return answer;
}

// How a reader of the answer can tell what was asked.
void describe(const judge::Plan& plan, const Look& look, json::Object& value) {
  value["alpha"] = plan.alpha;
  value["margin"] = plan.margin;
  if (plan.tau > 1) value["tau"] = plan.tau;
  if (look.state.season) value["seasonRemoved"] = true;
  if (look.state.placebos) value["placeboLimit"] = look.state.placebos->limit;
  if (look.settings.planned) value["plannedLooks"] = plan.planned_looks;
}

Looked accumulate(Look look, const Samples& samples) {
  if (const Missing missing = missing_in(samples); missing != Missing::kNone) {
    Looked none = looked(look, no_data_outcome(look.asked(), missing), samples);
    if (none.measurement.phase != kError) {
      skip(look);
      none.state = to_state(look.state);
    }
    return none;
  }
  const Engine engine = engine_of(look, samples);
  learn(look, engine, samples);
  const judge::Plan plan = plan_with_learned(look, engine);
  auto answer = take(look, plan, without_season(look, samples));
  if (!answer) return failed_look(look.asked(), answer.error(), look.started, look.now);
  hold_against_placebos(look, plan, *answer);
  json::Object value = compact(*answer);
  describe(plan, look, value);
  Outcome outcome = outcome_of(look.asked(), *answer, value, is_last_look(look), look.now);
  look.state.failed = answer->verdict == judge::Verdict::kFail && !has_conditions(look.asked());
  const bool kept = outcome.phase != kError;
  Looked done = looked(look, std::move(outcome), samples);
  done.measurement.value = json::write(value);
  // An error is asked again, so its look was not taken.
  if (kept) done.state = to_state(look.state);
  return done;
}

Result<judge::Answer> judge_once(const Look& look, const Samples& samples) {
  const auto& control = samples.control.points.values;
  const auto& experiment = samples.experiment.points.values;
  if (look.settings.method == Method::kMannWhitney)
    return judge::judge_mann_whitney(control, experiment,
                                     {.direction = look.settings.plan.direction,
                                      .alpha = look.settings.plan.alpha,
                                      .legacy_two_sided = look.settings.released});
  judge::kayenta::Metric metric{.direction = look.settings.plan.direction};
  if (look.settings.margin) {
    metric.effect_size.allowed_increase = 1 + *look.settings.margin;
    metric.effect_size.allowed_decrease = 1 - *look.settings.margin;
  }
  return judge::kayenta::judge_kayenta(control, experiment, metric);
}

Looked judge_alone(const Look& look, const Samples& samples) {
  if (const Missing missing = missing_in(samples); missing != Missing::kNone)
    return looked(look, no_data_outcome(look.asked(), missing), samples);
  auto answer = judge_once(look, samples);
  if (!answer) return failed_look(look.asked(), answer.error(), look.started, look.now);
  const json::Object value = compact(*answer);
  Looked done =
      looked(look, outcome_of(look.asked(), *answer, value, is_last_look(look), look.now), samples);
  done.measurement.value = json::write(value);
  return done;
}

// The experiment is recorded all the same: it is what the next run is compared with.
Looked without_control(Look look, const Samples& samples) {
  Looked done = looked(
      look,
      {.phase = kSuccessful, .message = "nothing to compare with yet: no earlier run is recorded"},
      samples);
  if (look.settings.accumulates()) {
    skip(look);
    done.state = to_state(look.state);
  }
  return done;
}

// Why all that was taken so far is too little to judge; empty when it is not, or when nothing was
// judged at all: that is for `check.noData` to say, and was said.
std::string too_little(const Look& look) {
  const auto engine = look.settings.method == Method::kSequential
                          ? Result<Engine>(look.settings.plan.engine)
                          : judge::parse_engine(look.state.method);
  if (!engine || look.state.judge.look == 0) return {};
  const auto seen = judge::step(plan_with_learned(look, *engine), look.state.judge, {});
  const bool judged = !seen || seen->answer.verdict != judge::Verdict::kInconclusive;
  return judged ? std::string() : seen->answer.reason;
}

}  // namespace

Wanted wanted_by(const Look& look) {
  const Settings& settings = look.settings;
  if (settings.method == Method::kMannWhitney)
    return {.combine = Combine::kAll, .counts = false, .buckets = false};
  if (settings.method == Method::kKayenta) return {.counts = false, .buckets = false};
  std::optional<Engine> engine;
  if (settings.method == Method::kSequential) engine = settings.plan.engine;
  if (const auto chosen = judge::parse_engine(look.state.method); chosen && !engine)
    engine = *chosen;
  return {.counts = !engine || *engine == Engine::kCounts,
          .buckets = !engine || *engine == Engine::kDistribution};
}

bool has_no_control(const api::argo::CompareMetric& compare) {
  const auto& control = compare.control;
  return !has_source(control) && control.recorded &&
         read_series(control.recorded->points.value).values.empty();
}

Looked judge_samples(Look look, const Samples& samples) {
  if (has_no_control(*look.asked().provider.compare))
    return without_control(std::move(look), samples);
  if (!look.settings.accumulates()) return judge_alone(look, samples);
  return accumulate(std::move(look), samples);
}

Looked without_new_point(Look look) {
  const auto step = std::chrono::round<Duration>(std::chrono::duration<double>(look.step));
  Looked none =
      passed_over(look.started, look.now,
                  fmt::format("no new point yet: one comes every {}", format_duration(step)));
  if (!look.settings.planned) return none;
  skip(look);
  none.state = to_state(look.state);
  if (!is_last_look(look) || has_conditions(look.asked())) return none;
  if (std::string why = too_little(look); !why.empty()) {
    none.measurement.phase = kInconclusive;
    none.measurement.message = std::move(why);
  }
  return none;
}

Looked passed_over(Time started, Time now, std::string message) {
  return {.measurement = {.phase = std::string(kSuccessful),
                          .message = std::move(message),
                          .started_at = started,
                          .finished_at = now}};
}

}  // namespace slipway::analysis
