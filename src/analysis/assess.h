#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/run_rules.h"

// What measurements mean for their metric, and metrics for their run. Pure.
namespace slipway::analysis {

// A measurement that was taken, resumed or terminated, for the metric at an index of spec.metrics.
struct Measured {
  std::size_t metric = 0;
  bool continues = false;  // the metric's last measurement, further on; otherwise one more
  api::argo::Measurement measurement = {};
  std::map<std::string, std::string> metadata = {};  // of the result: the query as resolved
  api::FreeForm state = {};                          // of the result; empty leaves it
};

// Something to tell as an event.
struct Happening {
  std::string reason;  // MetricSuccessful, AnalysisRunFailed
  std::string message;
  bool warning = false;
};
struct Assessment {
  api::argo::AnalysisRunStatus status = {};
  std::vector<Happening> happenings = {};
};

// The status after these measurements. `rules` are those of the run's spec.
Assessment assess(const api::argo::AnalysisRun& run, const RunRules& rules,
                  std::vector<Measured> measured, Time now);

// The status of a run that cannot be carried out: `Analysis spec invalid: …`.
Assessment refuse(const api::argo::AnalysisRun& run, std::string message, Time now);

// The phase of one metric as its result stands, and why when a limit decided it: `failed (3) >
// failureLimit (2)`.
// The limit of a comparison: what was found is told after it.
inline constexpr std::string_view kComparisonVerdict = "the verdict of its comparison";
struct MetricAssessment {
  std::string_view phase;
  std::string limit = {};
};
MetricAssessment assess_metric(const api::argo::Metric& metric,
                               const api::argo::MetricResult* result, bool terminating);

// When a completed run is to be deleted; none when it is kept.
std::optional<Time> expiry_of(const api::argo::AnalysisRun& run);

}  // namespace slipway::analysis
