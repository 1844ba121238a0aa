#include "analysis/due.h"

#include <algorithm>

#include "analysis/phase.h"
#include "analysis/run_rules.h"

namespace slipway::analysis {

namespace {

using api::argo::AnalysisRun;
using api::argo::Metric;
using api::argo::MetricResult;

bool counts_against(const MetricResult& result) {
  return !result.dry_run &&
         (result.phase == kFailed || result.phase == kError || result.phase == kInconclusive);
}

Duration gap_after(const Metric& metric, const api::argo::Measurement& last) {
  if (last.phase == kError || metric.interval.empty()) return kErrorGap;
  return interval_of(metric);
}

// When the metric wants attention next, and what for; nothing when it is over or, with a
// measurement under way that says no time, when somebody else will tell.
struct Want {
  Task::Kind kind = Task::Kind::kMeasure;
  std::optional<Time> at = {};  // none: at once
};
std::optional<Want> want_of(const AnalysisRun& run, const Metric& metric, bool terminating) {
  const MetricResult* result = result_of(run, metric.name);
  if (result && is_completed(result->phase)) return std::nullopt;
  const bool measured = result && !result->measurements.empty();
  if (measured && !result->measurements.back().finished_at) {
    if (terminating) return Want{.kind = Task::Kind::kTerminate};
    return Want{.kind = Task::Kind::kResume, .at = result->measurements.back().resume_at};
  }
  if (terminating) return std::nullopt;
  if (!measured) {
    if (metric.initial_delay.empty()) return Want{};
    // A run that was never looked at has not started: its delay begins with this look.
    const auto started = run.status ? run.status->started_at : std::nullopt;
    return Want{.at = started ? std::optional(*started + initial_delay_of(metric))
                              : std::optional(Time::max())};
  }
  if (const auto count = count_of(metric); count && result->count >= *count) return std::nullopt;
  const auto& last = result->measurements.back();
  return Want{.at = *last.finished_at + gap_after(metric, last)};
}

}  // namespace

std::string namespace_of(const AnalysisRun& run) {
  return std::string(json::string_at(run.metadata.value, {"namespace"}));
}

const MetricResult* result_of(const AnalysisRun& run, std::string_view name) {
  if (!run.status) return nullptr;
  const auto found = std::ranges::find(run.status->metric_results, name, &MetricResult::name);
  return found == run.status->metric_results.end() ? nullptr : &*found;
}

bool is_terminating(const AnalysisRun& run) {
  return run.spec.terminate ||
         (run.status && std::ranges::any_of(run.status->metric_results, counts_against));
}

Due decide_due(const AnalysisRun& run, Time now) {
  Due due;
  const bool terminating = is_terminating(run);
  for (std::size_t i = 0; i < run.spec.metrics.size(); ++i) {
    const auto want = want_of(run, run.spec.metrics[i], terminating);
    if (!want) continue;
    if (!want->at || *want->at <= now) {
      due.tasks.push_back({.kind = want->kind, .metric = i});
    } else if (*want->at != Time::max()) {
      due.next = due.next ? std::min(*due.next, *want->at) : want->at;
    }
  }
  return due;
}

std::optional<Time> next_look(const AnalysisRun& run, Time now) {
  if (!run.status || is_completed(run.status->phase)) return std::nullopt;
  std::optional<Time> next;
  const bool terminating = is_terminating(run);
  for (const Metric& metric : run.spec.metrics) {
    const auto want = want_of(run, metric, terminating);
    // A measurement under way without a time to come back is told by events, not by the clock.
    if (!want || (want->kind == Task::Kind::kResume && !want->at)) continue;
    const Time at = std::max(want->at.value_or(now), now);
    next = next ? std::min(*next, at) : at;
  }
  return next;
}

}  // namespace slipway::analysis
