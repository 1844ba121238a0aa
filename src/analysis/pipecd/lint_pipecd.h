#pragma once

#include <vector>

#include "api/lint/lint.h"
#include "base/yaml.h"

namespace slipway::analysis {

// What is wrong with a PipeCD file, by line: as errors what PipeCD refuses to load, as warnings
// what it passes over in silence and what is going to make an analysis worthless. Empty for a
// document of another group. `index` is the document's place in its file: PipeCD reads the first
// only.
std::vector<api::Problem> lint_pipecd(const yaml::Document& document, std::size_t index = 0);

}  // namespace slipway::analysis
