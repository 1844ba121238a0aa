#pragma once

#include <string>
#include <vector>

#include "cli/tree/branches.h"

// Experiments as people see them. Pure.
namespace slipway::cli {

// Name, namespace, status, message, images, then the tree.
std::string experiment_text(const json::Value& experiment, const Grove& grove,
                            const TreeOptions& options);

// NAME STATUS DURATION REMAINING AGE; with `with_namespace` NAMESPACE first.
std::vector<std::vector<std::string>> experiment_rows(const std::vector<json::Value>& experiments,
                                                      bool with_namespace, Time now);

// Whether it has ended, and the exit code that says how: Successful 0, Failed and Error 1,
// Inconclusive 2.
bool has_ended(const json::Value& experiment);
int exit_code_of_phase(std::string_view phase);
// `Running`, `Failed: why`, and what is wrong with a spec that nobody carries out.
std::string status_text(const json::Value& experiment);

}  // namespace slipway::cli
