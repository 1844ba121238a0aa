#include "analysis/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/arguments.h"
#include "analysis/assess.h"
#include "analysis/due.h"
#include "analysis/phase.h"
#include "analysis/replay_measurement.h"
#include "api/schema/codec.h"

namespace slipway::analysis {
namespace {

using api::argo::AnalysisRun;
using api::argo::AnalysisRunSpec;
using api::argo::AnalysisRunStatus;
using api::argo::Measurement;
using api::argo::Metric;
using api::argo::MetricResult;

struct Recorded {
  std::size_t order = 0;   // among those that began together
  std::size_t metric = 0;  // of the spec it is judged by
  const Measurement* measurement = nullptr;
  const MetricResult* result = nullptr;  // that it is of

  Time started() const { return measurement->started_at.value_or(finished()); }
  Time finished() const {
    return measurement->finished_at.value_or(measurement->started_at.value_or(Time{}));
  }
};

bool was_asked_for(const AnalysisRun& recorded, const std::string& name) {
  return std::ranges::any_of(recorded.spec.metrics,
                             [&](const Metric& metric) { return metric.name == name; });
}

Result<> check_kept(const Metric& metric, const MetricResult& result) {
  const auto taken =
      static_cast<std::size_t>(result.count) + static_cast<std::size_t>(result.error);
  if (!metric.provider.compare || result.measurements.size() >= taken) return {};
  return fail(ErrorCode::kInvalid,
              fmt::format("of {} looks only the last {} are kept, and a comparison needs all of "
                          "them: raise measurementRetention before the run",
                          taken, result.measurements.size()),
              fmt::format("metric {}", metric.name));
}

// Completed measurements of the spec's metrics in the order they were taken.
Result<std::vector<Recorded>> taken_in_order(const AnalysisRun& recorded,
                                             const AnalysisRunSpec& under) {
  std::vector<Recorded> all;
  for (std::size_t i = 0; i < under.metrics.size(); ++i) {
    const MetricResult* result = result_of(recorded, under.metrics[i].name);
    if (!result) {
      if (was_asked_for(recorded, under.metrics[i].name)) continue;
      return fail(ErrorCode::kInvalid,
                  fmt::format("\"{}\" is no metric of the recorded run", under.metrics[i].name),
                  fmt::format("spec.metrics[{}].name", i));
    }
    SLIPWAY_TRY(check_kept(under.metrics[i], *result));
    for (const Measurement& one : result->measurements)
      if (is_completed(one.phase))
        all.push_back({.order = all.size(), .metric = i, .measurement = &one, .result = result});
  }
  std::ranges::sort(all, {},
                    [](const Recorded& one) { return std::pair(one.started(), one.order); });
  return all;
}

// What is in Secrets was not recorded, and stands as the placeholder.
Result<AnalysisRunSpec> with_arguments(AnalysisRunSpec spec, const json::Value& metadata) {
  const json::Value written = api::encode(spec);
  const json::Value* metrics = json::at(written, {"metrics"});
  if (!metrics || !has_tags(*metrics)) return spec;
  auto resolved = resolve(*metrics, arguments_of(spec, metadata).tags);
  if (!resolved) return std::unexpected(std::move(resolved).error());
  spec.metrics = std::move(*resolved);
  return spec;
}

class Replay {
 public:
  Replay(const AnalysisRun& recorded, const AnalysisRunSpec& under, RunRules rules)
      : rules_(std::move(rules)) {
    run_.metadata = recorded.metadata;
    run_.spec = under;
    run_.spec.terminate = false;
    run_.status.emplace().phase = kRunning;
    if (recorded.status) run_.status->started_at = recorded.status->started_at;
    terminated_ = recorded.spec.terminate;
  }

  void take(const std::vector<Recorded>& all) {
    for (std::size_t at = 0; at < all.size() && !ended();) at = take_together(all, at);
    if (!ended()) assess_again({}, last_);
    if (!ended() && terminated_) {
      run_.spec.terminate = true;
      assess_again({}, last_);
    }
  }
  AnalysisRunStatus status() && { return std::move(*run_.status); }

 private:
  bool ended() const { return is_completed(run_.status->phase); }

  void assess_again(std::vector<Measured> measured, Time now) {
    run_.status = assess(run_, rules_, std::move(measured), now).status;
  }

  // Those under way at the same time were assessed together, one of each metric.
  std::size_t take_together(const std::vector<Recorded>& all, std::size_t at) {
    std::vector<Measured> measured;
    std::set<std::size_t> metrics;
    Time end = all[at].finished();
    for (; at < all.size() && all[at].started() <= end && !metrics.contains(all[at].metric); ++at) {
      const Recorded& one = all[at];
      metrics.insert(one.metric);
      end = std::max(end, one.finished());
      const MetricResult* result = result_of(run_, run_.spec.metrics[one.metric].name);
      if (result && is_completed(result->phase)) continue;
      Looked again = replay_measurement(run_, one.metric, *one.measurement, one.result->state);
      measured.push_back({.metric = one.metric,
                          .measurement = std::move(again.measurement),
                          .state = std::move(again.state)});
    }
    last_ = end;
    assess_again(std::move(measured), end);
    // A metric that failed ends the others with the next pass.
    if (!ended() && is_terminating(run_)) assess_again({}, end);
    return at;
  }

  RunRules rules_;
  AnalysisRun run_ = {};
  Time last_ = {};
  bool terminated_ = false;
};

}  // namespace

Result<AnalysisRunStatus> replay(const AnalysisRun& recorded, const AnalysisRunSpec& under) {
  const auto spec = with_arguments(under, recorded.metadata.value);
  if (!spec) return std::unexpected(spec.error());
  auto rules = rules_of(*spec);
  if (!rules) return std::unexpected(std::move(rules).error());
  const auto all = taken_in_order(recorded, *spec);
  if (!all) return std::unexpected(all.error());
  Replay again(recorded, *spec, std::move(*rules));
  again.take(*all);
  return std::move(again).status();
}

}  // namespace slipway::analysis
