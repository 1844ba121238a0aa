#include "analysis/replay_measurement.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/compare/judge_samples.h"
#include "analysis/compare/score.h"
#include "analysis/compare/verdict.h"
#include "analysis/due.h"
#include "analysis/phase.h"

namespace slipway::analysis {
namespace {

using api::argo::AnalysisRun;
using api::argo::Measurement;
using api::argo::Metric;

Time started_of(const Measurement& one) {
  return one.started_at.value_or(one.finished_at.value_or(Time{}));
}
Time finished_of(const Measurement& one) { return one.finished_at.value_or(started_of(one)); }

// Fit for every point of a value; empty when all are within.
std::string outside(const api::argo::Expected& expected, const json::Value& result) {
  if (result.is_array()) {
    for (const json::Value& one : result.get_array())
      if (std::string problem = outside(expected, one); !problem.empty()) return problem;
    return {};
  }
  const auto number = number_in(result);
  if (!number) return {};
  if (expected.min && *number < *expected.min)
    return fmt::format("the value {:g} is below the expected minimum {:g}", *number, *expected.min);
  if (expected.max && *number > *expected.max)
    return fmt::format("the value {:g} is above the expected maximum {:g}", *number, *expected.max);
  return {};
}

// What was no answer is judged by what it was called; what was one, by the spec.
Outcome replay_value(const Metric& metric, const Measurement& recorded) {
  if (recorded.value.empty()) {
    if (recorded.phase == kError) return error_outcome(metric, recorded.message);
    return {.phase = recorded.phase, .message = recorded.message};
  }
  const auto result = metric.provider.cloud_watch ? std::nullopt : result_of_value(recorded.value);
  if (!result) return {.phase = recorded.phase, .message = recorded.message};
  if (metric.check && metric.check->expected)
    if (std::string problem = outside(*metric.check->expected, *result); !problem.empty())
      return {.phase = kFailed, .message = std::move(problem)};
  return by_conditions(metric, *result, finished_of(recorded), false);
}

// What was recorded for one look alone, as a method that accumulates would have taken it: each
// point once, and several series of a side averaged.
void accumulate(SideSamples& side, double taken) {
  judge::Series fresh;
  for (std::size_t i = 0; i < side.points.times.size(); ++i) {
    if (side.points.times[i] <= taken) continue;
    fresh.times.push_back(side.points.times[i]);
    fresh.values.push_back(side.points.values[i]);
  }
  side.points = judge::mean_by_time(std::span(&fresh, 1));
}

// What was before the run was asked for once, and what it taught is in the record's state.
void learn_again(LookState& state, const api::FreeForm& recorded) {
  if (state.judge.look > 0 || state.has_learned()) return;
  if (const auto read = read_look_state(recorded)) state.learn_from(*read);
}

// As it was before it was taken.
Result<Look> look_again(const AnalysisRun& run, std::size_t index, const Measurement& recorded) {
  const Metric& metric = run.spec.metrics[index];
  const Time started = started_of(recorded), now = finished_of(recorded);
  const auto* so_far = result_of(run, metric.name);
  const metrics::Range range = look_range(metric, so_far, started, started);
  auto settings = settings_of(run.spec, index, range.step);
  if (!settings) return std::unexpected(std::move(settings).error());
  Look look{.run = run, .metric = index, .settings = *settings, .started = started, .now = now};
  if (so_far) {
    auto state = read_look_state(so_far->state);
    if (!state) return std::unexpected(std::move(state).error());
    look.state = std::move(*state);
  }
  return look;
}

Looked replay_look(const AnalysisRun& run, std::size_t index, const Measurement& recorded,
                   const api::FreeForm& recorded_state) {
  const auto failed = [&](const Error& error) {
    return failed_look(run.spec.metrics[index], error, started_of(recorded), finished_of(recorded));
  };
  auto look = look_again(run, index, recorded);
  if (!look) return failed(look.error());
  learn_again(look->state, recorded_state);
  auto samples = read_samples(recorded.samples.value);
  if (!samples) return failed(samples.error());
  if (look->settings.accumulates() && samples->material == judge::Material::kSeries) {
    accumulate(samples->control, look->state.taken.control);
    accumulate(samples->experiment, look->state.taken.experiment);
  }
  return judge_samples(std::move(*look), *samples);
}

// A look without samples was not taken; one that was planned is over all the same.
Looked replay_passed_over(const AnalysisRun& run, std::size_t index, const Measurement& recorded) {
  Looked again{.measurement = recorded};
  auto look = look_again(run, index, recorded);
  if (look && look->settings.accumulates()) again.state = without_new_point(std::move(*look)).state;
  return again;
}

bool is_judged_elsewhere(const Metric& metric) {
  return metric.provider.job || metric.provider.kayenta || !metric.provider.plugin.empty();
}

}  // namespace

std::optional<json::Value> result_of_value(const std::string& value) {
  if (value == "+Inf" || value == "-Inf") {
    const double sign = value.front() == '-' ? -1 : 1;
    return json::Value(sign * std::numeric_limits<double>::infinity());
  }
  if (auto read = json::read(value, {.allow_nan = true})) return std::move(*read);
  if (!value.starts_with('[')) return json::Value(value);
  // InfluxDB's list, as Go prints it: [10 20].
  std::string commas = value;
  std::ranges::replace(commas, ' ', ',');
  if (auto read = json::read(commas, {.allow_nan = true})) return std::move(*read);
  return std::nullopt;
}

Looked replay_measurement(const AnalysisRun& run, std::size_t index, const Measurement& recorded,
                          const api::FreeForm& state) {
  const Metric& metric = run.spec.metrics[index];
  Looked again{.measurement = recorded};
  if (is_judged_elsewhere(metric)) return again;
  if (!recorded.samples.empty()) {
    if (metric.provider.compare) {
      again = replay_look(run, index, recorded, state);
    } else if (metric.provider.score) {
      const auto mixed = read_mixed(recorded.samples.value);
      if (!mixed) return again;
      again = score_mixed(run, index, *mixed, started_of(recorded), finished_of(recorded));
    }
    again.measurement.metadata = recorded.metadata;
    return again;
  }
  if (metric.provider.compare && recorded.phase != kError && recorded.phase != kFailed)
    return replay_passed_over(run, index, recorded);
  Outcome outcome = replay_value(metric, recorded);
  again.measurement.phase = outcome.phase;
  again.measurement.message = std::move(outcome.message);
  return again;
}

}  // namespace slipway::analysis
