#include "analysis/report/unseen.h"

#include <algorithm>

#include "analysis/due.h"
#include "analysis/phase.h"
#include "analysis/report/queries.h"

namespace slipway::analysis::report {

namespace {

using api::argo::Measurement;
using api::argo::MetricResult;

bool holds_points(const json::Value& samples) {
  if (samples.is_array()) return !samples.get_array().empty();
  if (!samples.is_object()) return false;
  if (const json::Value* pairs = json::at(samples, {"pairs"}); pairs && pairs->is_array())
    return std::ranges::any_of(pairs->get_array(), holds_points);
  return std::ranges::any_of(samples.get_object(),
                             [](const auto& member) { return holds_points(member.value()); });
}

bool found_something(const Measurement& measurement) {
  return (!measurement.value.empty() && measurement.value != "[]") ||
         holds_points(measurement.samples.value);
}

bool is_unseen(const api::argo::Metric& metric, const MetricResult& result) {
  const auto taken = static_cast<std::size_t>(result.count + result.error);
  return result.phase == kSuccessful && taken > 0 && result.measurements.size() >= taken &&
         std::ranges::none_of(result.measurements, found_something) &&
         !spec_queries(metric).empty();
}

}  // namespace

std::vector<std::string> unseen_metrics(const api::argo::AnalysisRun& run) {
  std::vector<std::string> names;
  for (const auto& metric : run.spec.metrics)
    if (const MetricResult* result = result_of(run, metric.name);
        result != nullptr && is_unseen(metric, *result))
      names.push_back(metric.name);
  return names;
}

}  // namespace slipway::analysis::report
