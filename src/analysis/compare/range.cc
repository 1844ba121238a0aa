#include <algorithm>

#include "analysis/compare/look.h"
#include "analysis/compare/look_state.h"
#include "analysis/compare/settings.h"
#include "analysis/run_rules.h"

// What a look asks for.
namespace slipway::analysis {
namespace {

using api::argo::CompareSide;
using api::argo::Metric;

// Of a metric that says neither window nor interval.
constexpr Duration kUsualWindow = std::chrono::minutes(5);
constexpr Duration kUsualStep = std::chrono::minutes(1);

Duration given(const api::GoDuration& text) {
  return text.empty() ? Duration{} : text.value().value_or(Duration{});
}

Time to_seconds(Time time) { return std::chrono::floor<std::chrono::seconds>(time); }

// An interval back, or as far as the window says.
Duration window_of(const Metric& metric, const api::GoDuration& window) {
  if (const Duration said = given(window); said > Duration{}) return said;
  const Duration interval = interval_of(metric);
  return interval > Duration{} ? interval : kUsualWindow;
}

metrics::Range bounded(metrics::Range range) {
  const Duration most = range.step * static_cast<std::int64_t>(kMaxSamples - 1);
  if (range.to - range.from > most) range.from = range.to - most;
  return range;
}

// As many steps as fit: a score is of its whole range, so its points are further apart instead.
metrics::Range coarsened(metrics::Range range) {
  const Duration most = range.step * static_cast<std::int64_t>(kMaxSamples - 1);
  const Duration length = range.to - range.from;
  if (length > most) range.step *= (length + most - Duration(1)) / most;
  return range;
}

// Whether a side can be asked for what was. Web pages know no ranges.
bool remembers(const CompareSide& side) {
  const bool page = side.web || (side.source && side.source->type == "web");
  return has_source(side) && !page;
}

bool counts(const api::argo::CompareMetric& compare) {
  return !compare.control.exposure.empty() && !compare.experiment.exposure.empty() &&
         (compare.method.empty() || compare.method == "counts");
}

// At least `wanted`, as a whole number of steps.
Duration to_whole_steps(Duration wanted, Duration step) {
  return (wanted + step - Duration(1)) / step * step;
}

// The first moment at or after `from` that is a whole number of steps from `grid`: so that points
// of one look are those of another, and none is nearly taken twice.
Time on_grid(Time from, Time grid, Duration step) {
  const Duration off = (grid - from) % step;
  return from + (off < Duration{} ? off + step : off);
}

}  // namespace

metrics::Range look_range(const Metric& metric, const api::argo::MetricResult* so_far,
                          Time started_run, Time now) {
  const Time to = to_seconds(now);
  if (metric.provider.score) {
    const auto& score = *metric.provider.score;
    const Duration said = given(score.window);
    const Duration window = said > Duration{} ? said : to - to_seconds(started_run);
    const Duration step = score_step(score);
    return coarsened({.from = to - std::max(window, step), .to = to, .step = step});
  }
  const auto& compare = *metric.provider.compare;
  const Duration window = window_of(metric, compare.window);
  const Duration step = look_step(metric);
  metrics::Range range{.from = to - window, .to = to, .step = step};
  if (is_one_shot(compare) || !so_far) return bounded(range);
  const auto until = asked_until(so_far->state);
  if (!until) return bounded(range);
  if (compare.window.empty()) {
    range.from = std::min(*until, to);
    range = bounded(range);
  }
  range.from = on_grid(range.from, *until, step);
  range.from = std::min(range.from, range.to);
  return range;
}

HistoryWanted history_wanted(const Metric& metric, const api::argo::MetricResult* so_far,
                             const metrics::Range& look) {
  const auto& compare = *metric.provider.compare;
  const CompareSide &control = compare.control, &experiment = compare.experiment;
  HistoryWanted wanted;
  const bool learned = so_far && has_judged_look(so_far->state);
  if (is_one_shot(compare) || learned || !remembers(control) || given(experiment.ago) != Duration{})
    return wanted;
  const bool counted = counts(compare);
  const bool exposed = !control.exposure.empty() || !experiment.exposure.empty();
  if (given(control.ago) == Duration{}) {
    if (compare.tau || (exposed && !counted)) return {};
    if (!counted && !remembers(experiment)) return {};
    wanted.experiment = !counted;
    wanted.exposure = counted;
    const Time to = look.from - look.step;
    wanted.ranges.push_back({.from = to - look.step * static_cast<std::int64_t>(kPairedHistory - 1),
                             .to = to,
                             .step = look.step});
    return wanted;
  }
  if (exposed) return {};
  constexpr Duration kWeek = std::chrono::days(7);
  constexpr auto kSteps = static_cast<std::int64_t>(kMaxHistorySteps);
  const Duration step = std::max(look.step, to_whole_steps(kWeek / kSteps, look.step));
  const Duration part = step * kSteps, span = kWeek * kHistoryWeeks;
  for (Duration back = step; back <= span; back += part) {
    const Duration length = std::min(part, span + step - back) - step;
    wanted.ranges.push_back(
        {.from = look.from - back - length, .to = look.from - back, .step = step});
  }
  return wanted;
}

Duration look_step(const Metric& metric) {
  const auto& compare = *metric.provider.compare;
  if (const Duration said = given(compare.step); said > Duration{}) return said;
  return std::min(kUsualStep, window_of(metric, compare.window));
}

Duration score_step(const api::argo::ScoreMetric& score) {
  const Duration said = given(score.step);
  return said > Duration{} ? said : kUsualStep;
}

metrics::Range side_range(const CompareSide& side, const metrics::Range& look) {
  const Duration ago = given(side.ago);
  return {.from = look.from - ago, .to = look.to - ago, .step = look.step};
}

bool has_source(const CompareSide& side) {
  return side.prometheus || side.web || side.datadog || side.wavefront || side.new_relic ||
         side.cloud_watch || side.graphite || side.influxdb || side.skywalking || side.traffic ||
         side.source;
}

}  // namespace slipway::analysis
