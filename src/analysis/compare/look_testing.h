#pragma once

#include <cmath>
#include <functional>
#include <utility>

#include "analysis/assess.h"
#include "analysis/compare/look.h"
#include "analysis/due.h"
#include "analysis/phase.h"

// A comparing run on a clock of its own: each tick asks what `look_range` says, answers from two
// functions of time, and is assessed.
namespace slipway::analysis::testing {

using namespace std::chrono_literals;

inline constexpr Time kStart{std::chrono::seconds(1'700'000'000)};

inline double unix_seconds(Time time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

// Noise in [-1, 1), the same for the same moment and salt.
inline double noise(Time time, int salt) {
  auto x =
      static_cast<std::uint64_t>(time.time_since_epoch().count() / 1'000'000'000) * 2654435761u +
      static_cast<std::uint64_t>(salt) * 40503u + 12345u;
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdULL;
  x ^= x >> 33;
  x *= 0xc4ceb9fe1a85ec53ULL;
  x ^= x >> 33;
  return static_cast<double>(x % 2'000'000) / 1'000'000 - 1;
}

// The value of a source at a moment; NaN where it has none.
using Source = std::function<double(Time)>;

inline metrics::Answer answer(const metrics::Range& range, const Source& source,
                              metrics::Labels labels = {}) {
  metrics::Series series{.labels = std::move(labels)};
  for (Time at = range.from; at <= range.to; at += range.step)
    if (const double value = source(at); !std::isnan(value)) series.points.push_back({at, value});
  metrics::Answer answer;
  if (!series.points.empty()) answer.series.push_back(std::move(series));
  return answer;
}

inline api::argo::Metric comparing(std::string name, std::int64_t count,
                                   std::string interval = "5m") {
  api::argo::Metric metric{.name = std::move(name), .interval = {std::move(interval)}};
  if (count > 0) metric.count = api::IntOrString::of(count);
  auto& compare = metric.provider.compare.emplace();
  compare.control.prometheus.emplace().query = "a";
  compare.experiment.prometheus.emplace().query = "b";
  compare.deviation = "HIGH";
  return metric;
}

class Comparison {
 public:
  explicit Comparison(api::argo::Metric metric) {
    run.spec.metrics.push_back(std::move(metric));
    run.status.emplace().phase = kRunning;
    run.status->started_at = kStart;
  }

  // One tick at `now`; gives its measurement.
  api::argo::Measurement tick(const Source& control, const Source& experiment) {
    now += 5min;
    const auto& metric = run.spec.metrics[0];
    const auto& compare = *metric.provider.compare;
    const metrics::Range range = look_range(metric, result_of(run, metric.name), kStart, now);
    LookInput input;
    if (has_source(compare.control))
      input.control = answer(side_range(compare.control, range), control);
    input.experiment = answer(side_range(compare.experiment, range), experiment);
    if (!remembers) return judge(input);
    const HistoryWanted wanted = history_wanted(metric, result_of(run, metric.name), range);
    for (const metrics::Range& part : wanted.ranges) {
      ++asked_before;
      input.control_history.push_back(answer(part, control));
      if (wanted.experiment) input.experiment_history.push_back(answer(part, experiment));
    }
    return judge(input);
  }
  api::argo::Measurement judge(const LookInput& input) {
    Looked looked = judge_look(run, 0, input, now, now);
    api::argo::Measurement measurement = looked.measurement;
    run.status = assess(run, {},
                        {{.metric = 0,
                          .measurement = std::move(looked.measurement),
                          .state = std::move(looked.state)}},
                        now)
                     .status;
    return measurement;
  }
  const api::argo::MetricResult& result() const { return run.status->metric_results.at(0); }

  api::argo::AnalysisRun run = {};
  Time now = kStart;
  bool remembers = false;  // sources have what was before the run
  int asked_before = 0;    // questions for it, of the control
};

}  // namespace slipway::analysis::testing
