#include "analysis/assess.h"

#include <fmt/format.h>

#include "analysis/compare/look_state.h"
#include "analysis/due.h"
#include "analysis/phase.h"

namespace slipway::analysis {

namespace {

using api::argo::AnalysisRun;
using api::argo::AnalysisRunStatus;
using api::argo::Metric;
using api::argo::MetricResult;
using api::argo::RunSummary;

bool is_bad(std::string_view phase) { return phase == kFailed || phase == kError; }

void count(MetricResult& result, std::string_view phase) {
  if (phase == kSuccessful) {
    ++result.successful, ++result.count, ++result.consecutive_success;
    result.consecutive_error = 0;
    return;
  }
  result.consecutive_success = 0;
  if (phase == kError) {
    ++result.error, ++result.consecutive_error;
    return;
  }
  result.consecutive_error = 0;
  ++result.count;
  ++(phase == kFailed ? result.failed : result.inconclusive);
}

void add(AnalysisRunStatus& status, const Metric& metric, const RunRules& rules, Measured measured,
         Time now) {
  auto found = std::ranges::find(status.metric_results, metric.name, &MetricResult::name);
  if (found == status.metric_results.end()) {
    status.metric_results.push_back({.name = metric.name,
                                     .phase = std::string(kRunning),
                                     .dry_run = rules.dry_run.contains(metric.name),
                                     .metadata = measured.metadata});
    found = status.metric_results.end() - 1;
  }
  if (!measured.state.empty()) found->state = std::move(measured.state);
  auto& measurement = measured.measurement;
  if (is_completed(measurement.phase)) {
    if (!measurement.finished_at) measurement.finished_at = now;
    count(*found, measurement.phase);
  }
  if (measured.continues && !found->measurements.empty()) {
    found->measurements.back() = std::move(measurement);
  } else {
    found->measurements.push_back(std::move(measurement));
  }
}

bool is_under_way(const MetricResult& result) {
  return !result.measurements.empty() && !is_completed(result.measurements.back().phase) &&
         !result.measurements.back().finished_at;
}

// The worst of the metrics that count, as the run's own end.
class Verdict {
 public:
  Verdict(const AnalysisRun& run, AnalysisRunStatus& status)
      : status_(status), terminating_(is_terminating(run)) {
    if (run.spec.terminate) message_ = "Run Terminated";
  }

  void take(const Metric& metric, const RunRules& rules, std::vector<Happening>& happenings) {
    auto found = std::ranges::find(status_.metric_results, metric.name, &MetricResult::name);
    MetricResult* result = found == status_.metric_results.end() ? nullptr : &*found;
    const MetricAssessment assessed = assess_metric(metric, result, terminating_);
    const bool dry = rules.dry_run.contains(metric.name);
    tally(assessed, dry);
    if (result && result->phase != assessed.phase) enter(*result, assessed.phase, happenings);
    if (!result || !is_completed(assessed.phase)) {
      all_completed_ = false;
      under_way_ = under_way_ || (result && is_under_way(*result));
      return;
    }
    if (dry) {
      if (!assessed.limit.empty())
        result->message =
            fmt::format("Metric assessed {} due to {}", assessed.phase, assessed.limit);
      if (!worst_) worst_ = kSuccessful;
    } else if (!worst_ || is_worse(assessed.phase, *worst_)) {
      worst_ = assessed.phase;
      if (!assessed.limit.empty()) explain(metric, *result, assessed);
    }
  }

  void close(Assessment& assessment, Time now) {
    status_.run_summary = summary_;
    status_.dry_run_summary = dry_run_summary_;
    std::string phase(kRunning), message;
    if ((terminating_ && !under_way_) || (all_completed_ && worst_)) {
      phase = worst_.value_or(kSuccessful);
      message = message_;
    }
    if (phase == status_.phase) return;
    status_.phase = phase;
    status_.message = std::move(message);
    if (!is_completed(phase)) return;
    status_.completed_at = now;
    assessment.happenings.push_back({.reason = "AnalysisRun" + phase,
                                     .message = "Analysis Completed. Result: " + phase,
                                     .warning = is_bad(phase)});
  }

 private:
  void tally(const MetricAssessment& assessed, bool dry) {
    RunSummary& summary = dry ? dry_run_summary_ : summary_;
    ++summary.count;
    // What no limit decided counts as successful, even while it runs: Argo's own tally.
    if (assessed.limit.empty()) {
      ++summary.successful;
    } else {
      ++(assessed.phase == kFailed  ? summary.failed
         : assessed.phase == kError ? summary.error
                                    : summary.inconclusive);
    }
  }

  static void enter(MetricResult& result, std::string_view phase,
                    std::vector<Happening>& happenings) {
    result.phase = phase;
    if (!result.measurements.empty()) result.message = result.measurements.back().message;
    if (is_completed(phase))
      happenings.push_back(
          {.reason = fmt::format("Metric{}", phase),
           .message = fmt::format("Metric '{}' Completed. Result: {}", result.name, phase),
           .warning = is_bad(phase)});
  }

  void explain(const Metric& metric, const MetricResult& result, const MetricAssessment& assessed) {
    message_ = fmt::format("Metric \"{}\" assessed {} due to {}", metric.name, assessed.phase,
                           assessed.limit);
    if (result.message.empty()) return;
    // Argo's words, for what is not Argo's they would be wrong: a verdict is no error.
    message_ += assessed.limit == kComparisonVerdict
                    ? ": " + result.message
                    : fmt::format(": \"Error Message: {}\"", result.message);
  }

  AnalysisRunStatus& status_;
  const bool terminating_;
  bool all_completed_ = true;
  bool under_way_ = false;  // what could not be ended yet is asked to once more
  std::optional<std::string_view> worst_ = {};
  std::string message_ = {};
  RunSummary summary_ = {};
  RunSummary dry_run_summary_ = {};
};

bool has_points(const MetricResult& result) {
  return std::ranges::any_of(result.measurements, [](const api::argo::Measurement& measurement) {
    return count_points(measurement.samples) > 0;
  });
}

// Of looks all are kept, so that they can be judged again, unless there are very many points: so
// many at the most, whatever a rule says.
std::size_t kept_of(const MetricResult& result, std::optional<std::size_t> rule,
                    std::size_t most_points) {
  if (!has_points(result)) return rule.value_or(kKeptMeasurements);
  std::size_t looks = 0, points = 0;
  for (auto one = result.measurements.rbegin(); one != result.measurements.rend(); ++one, ++looks) {
    points += count_points(one->samples);
    if (points > most_points || looks == rule.value_or(kMaxKeptLooks)) break;
  }
  return std::max<std::size_t>(looks, 1);
}

void forget_oldest(AnalysisRunStatus& status, const RunRules& rules) {
  const auto sampled =
      static_cast<std::size_t>(std::ranges::count_if(status.metric_results, has_points));
  const std::size_t most_points =
      std::min(kMaxKeptPoints, kMaxRunPoints / std::max<std::size_t>(sampled, 1));
  for (MetricResult& result : status.metric_results) {
    const auto found = rules.kept.find(result.name);
    std::optional<std::size_t> rule;
    if (found != rules.kept.end()) rule = static_cast<std::size_t>(found->second);
    const std::size_t kept = kept_of(result, rule, most_points);
    if (result.measurements.size() > kept)
      result.measurements.erase(result.measurements.begin(),
                                result.measurements.end() - static_cast<std::ptrdiff_t>(kept));
  }
}

std::string over(std::string_view what, std::int64_t found, std::string_view name,
                 std::int64_t limit) {
  return fmt::format("{} ({}) > {} ({})", what, found, name, limit);
}

}  // namespace

MetricAssessment assess_metric(const Metric& metric, const MetricResult* result, bool terminating) {
  if (result && is_completed(result->phase)) {
    // Limits are told again, for the run's message; the phase stays.
    MetricResult running = *result;
    running.phase = kRunning;
    MetricAssessment again = assess_metric(metric, &running, terminating);
    if (again.phase != result->phase) again.limit.clear();
    return {.phase = result->phase == kSuccessful ? kSuccessful
                     : result->phase == kFailed   ? kFailed
                     : result->phase == kError    ? kError
                                                  : kInconclusive,
            .limit = std::move(again.limit)};
  }
  if (!result || result->measurements.empty())
    return {.phase = terminating ? kSuccessful : kPending};
  if (!is_completed(result->measurements.back().phase)) return {.phase = kRunning};
  // The limits are for looks that could not be taken: one that found a difference is the end.
  if (metric.provider.compare && has_failed_look(result->state))
    return {kFailed, std::string(kComparisonVerdict)};
  const Limits limits = limits_of(metric);
  if (result->consecutive_error > limits.consecutive_errors)
    return {kError, over("consecutiveErrors", result->consecutive_error, "consecutiveErrorLimit",
                         limits.consecutive_errors)};
  if (result->inconclusive > limits.inconclusive)
    return {kInconclusive,
            over("inconclusive", result->inconclusive, "inconclusiveLimit", limits.inconclusive)};
  if (limits.failures >= 0 && result->failed > limits.failures)
    return {kFailed, over("failed", result->failed, "failureLimit", limits.failures)};
  const bool wants_streak = limits.consecutive_successes > 0;
  if (wants_streak && result->consecutive_success >= limits.consecutive_successes)
    return {.phase = kSuccessful};
  if (const auto count = count_of(metric); count && result->count >= *count)
    return {.phase = !wants_streak ? kSuccessful : limits.failures >= 0 ? kInconclusive : kFailed};
  return {.phase = terminating ? kSuccessful : kRunning};
}

Assessment assess(const AnalysisRun& run, const RunRules& rules, std::vector<Measured> measured,
                  Time now) {
  Assessment assessment{.status = run.status.value_or(AnalysisRunStatus{})};
  AnalysisRunStatus& status = assessment.status;
  if (!status.started_at) status.started_at = now;
  for (Measured& one : measured) {
    const Metric& metric = run.spec.metrics[one.metric];
    add(status, metric, rules, std::move(one), now);
  }
  Verdict verdict(run, status);
  for (const Metric& metric : run.spec.metrics) verdict.take(metric, rules, assessment.happenings);
  verdict.close(assessment, now);
  forget_oldest(status, rules);
  return assessment;
}

Assessment refuse(const AnalysisRun& run, std::string message, Time now) {
  Assessment assessment{.status = run.status.value_or(AnalysisRunStatus{})};
  AnalysisRunStatus& status = assessment.status;
  if (!status.started_at) status.started_at = now;
  status.phase = kError;
  status.message = std::move(message);
  status.completed_at = now;
  assessment.happenings.push_back(
      {.reason = "AnalysisRunError", .message = status.message, .warning = true});
  return assessment;
}

std::optional<Time> expiry_of(const AnalysisRun& run) {
  if (!run.status || !is_completed(run.status->phase) || !run.status->completed_at ||
      !run.spec.ttl_strategy)
    return std::nullopt;
  const auto& ttl = *run.spec.ttl_strategy;
  auto seconds = ttl.seconds_after_completion;
  if (run.status->phase == kSuccessful && ttl.seconds_after_success)
    seconds = ttl.seconds_after_success;
  if (run.status->phase == kFailed && ttl.seconds_after_failure)
    seconds = ttl.seconds_after_failure;
  if (!seconds) return std::nullopt;
  // Only once more than the whole seconds have gone by.
  return *run.status->completed_at + std::chrono::seconds(*seconds) + std::chrono::seconds(1);
}

}  // namespace slipway::analysis
