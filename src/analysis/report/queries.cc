#include "analysis/report/queries.h"

#include <fmt/format.h>

#include "analysis/asking.h"
#include "analysis/run_rules.h"

namespace slipway::analysis::report {

namespace {

using api::argo::CompareSide;
using api::argo::Metric;

constexpr std::string_view kResolved = "Resolved";

void add_side(std::vector<SpecQuery>& queries, const std::string& name, const CompareSide& side,
              Duration interval) {
  const auto asking = asking_of(side, interval);
  if (!asking || !*asking) return;
  const std::string& type = (*asking)->spec.type;
  queries.push_back({.name = name, .provider = type, .text = (*asking)->query});
  if (!side.exposure.empty())
    queries.push_back({.name = name + " exposure", .provider = type, .text = side.exposure});
}

// "ResolvedControlQuery" is the control's, "ResolvedPrometheusQuery" is the query.
std::string shown_name(std::string_view key) {
  key.remove_prefix(kResolved.size());
  if (key == "ControlQuery") return "control";
  if (key == "ExperimentQuery") return "experiment";
  if (key == "ControlExposure") return "control exposure";
  if (key == "ExperimentExposure") return "experiment exposure";
  return "query";
}

}  // namespace

std::vector<SpecQuery> spec_queries(const Metric& metric) {
  std::vector<SpecQuery> queries;
  const Duration interval = interval_of(metric);
  if (const auto& compare = metric.provider.compare) {
    add_side(queries, "control", compare->control, interval);
    add_side(queries, "experiment", compare->experiment, interval);
  } else if (const auto& score = metric.provider.score) {
    for (const auto& pair : score->pairs) {
      add_side(queries, pair.name + " control", pair.control, interval);
      add_side(queries, pair.name + " experiment", pair.experiment, interval);
    }
  } else if (const auto asking = asking_of(metric.provider, interval)) {
    if (!asking->query.empty())
      queries.push_back({.name = "query", .provider = asking->spec.type, .text = asking->query});
    for (const auto& [name, text] : asking->spec.queries)
      queries.push_back({.name = name, .provider = asking->spec.type, .text = text});
  }
  return queries;
}

std::vector<NamedQuery> queries_of(const Metric& metric, const api::argo::MetricResult* result) {
  std::vector<NamedQuery> queries;
  if (result != nullptr)
    for (const auto& [key, text] : result->metadata)
      if (key.starts_with(kResolved)) queries.push_back({.name = shown_name(key), .text = text});
  if (!queries.empty()) return queries;
  for (auto& query : spec_queries(metric))
    queries.push_back({.name = std::move(query.name), .text = std::move(query.text)});
  return queries;
}

}  // namespace slipway::analysis::report
