#pragma once

#include <string>
#include <vector>

#include "api/kinds/argo_analysis.h"
#include "api/lint/lint.h"

// What makes a metric useless although Argo takes it: it would run, and never say anything. Pure.
// Texts that still hold `{{args.x}}` are not judged.
namespace slipway::analysis {

struct MetricMistake {
  std::size_t metric = 0;    // which of them
  std::string field = {};    // successCondition
  std::string message = {};  // what was found, and what would be right
};
// Conditions that do not compile or are no conditions, limits that are no numbers, counts and
// times below zero.
std::vector<MetricMistake> mistakes_in(const std::vector<api::argo::Metric>& metrics);

// The same as errors of a document, for AnalysisTemplates, ClusterAnalysisTemplates and
// AnalysisRuns; of a List, for each of its items. Nothing for other kinds.
std::vector<api::Problem> lint_argo_metrics(const yaml::Document& document);

}  // namespace slipway::analysis
