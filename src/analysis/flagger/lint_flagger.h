#pragma once

#include <vector>

#include "api/lint/lint.h"

namespace slipway::analysis {

// What is wrong with a Canary or MetricTemplate of flagger.app. Nothing for other kinds; for a
// List, of each of its items. Of a MetricTemplate only what api::lint does not say already: its
// query. Pure.
//
// `others` are the documents of the same run of lint. A template that none of them has is no
// problem: it may be in the cluster.
std::vector<api::Problem> lint_flagger(const yaml::Document& document,
                                       const std::vector<const yaml::Document*>& others = {});

}  // namespace slipway::analysis
