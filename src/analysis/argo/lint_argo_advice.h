#pragma once

#include <vector>

#include "api/lint/lint.h"

namespace slipway::analysis {

// Warnings about metrics of AnalysisTemplates, ClusterAnalysisTemplates and AnalysisRuns that will
// run and mislead: points of a comparison that overlap, too few of them ever to fail, counts that
// are extrapolated, shares of unequal traffic compared by rank, limits that can never be reached.
// Of Rollouts, what their weights mean for a comparison in the same files. Nothing for other kinds.
// Pure; for a List, of each of its items.
//
// `others` are the documents of the same run of lint: templates that a Rollout refers to.
std::vector<api::Problem> lint_argo_advice(const yaml::Document& document,
                                           const std::vector<const yaml::Document*>& others = {});

}  // namespace slipway::analysis
