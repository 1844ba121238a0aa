#pragma once

#include <vector>

#include "api/lint/lint.h"

namespace slipway::analysis {

// What is wrong with a Kayenta canary configuration. Nothing for other documents
// (is_kayenta_config). Pure.
std::vector<api::Problem> lint_kayenta(const yaml::Document& document);

}  // namespace slipway::analysis
