#pragma once

#include "api/lint/lint.h"
#include "base/yaml.h"

namespace slipway::rollout {

// What a Rollout asks for that would be refused when it runs, as warnings: another controller may
// have it. Other kinds have none. Pure.
std::vector<api::Problem> lint_rollout(const yaml::Document& document);

}  // namespace slipway::rollout
