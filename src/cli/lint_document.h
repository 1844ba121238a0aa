#pragma once

#include <cstddef>
#include <vector>

#include "api/lint/lint.h"
#include "api/registry.h"
#include "base/yaml.h"

namespace slipway::cli {

// What is wrong with one document of any dialect, by line. `index` is its place in its file;
// `others` are all documents of this run of lint, itself included. Pure.
std::vector<api::Problem> lint_document(const yaml::Document& document, std::size_t index,
                                        const std::vector<const yaml::Document*>& others,
                                        const api::Registry& registry);

}  // namespace slipway::cli
