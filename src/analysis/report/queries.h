#pragma once

#include <string>
#include <vector>

#include "analysis/report/evidence.h"

namespace slipway::analysis::report {

// One question that a metric's spec asks.
struct SpecQuery {
  std::string name = {};      // query; of comparisons control, experiment, control exposure, …
  std::string provider = {};  // prometheus, …
  std::string text = {};
};
// Empty for metrics that ask nothing (Jobs), and for sources that cannot be asked as they are
// written.
std::vector<SpecQuery> spec_queries(const api::argo::Metric& metric);

// What a metric asked, as it was resolved where the result says so, else as its spec has it.
// Headers and credentials are no part of it.
std::vector<NamedQuery> queries_of(const api::argo::Metric& metric,
                                   const api::argo::MetricResult* result);

}  // namespace slipway::analysis::report
