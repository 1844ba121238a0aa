#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/lint/lint.h"
#include "base/yaml.h"

namespace slipway::api {

// Puts quotes around values that are bare `{{…}}` placeholders, which YAML would take for mappings
// and refuse. Lines and columns before them stay; each place gets a warning.
std::string quote_placeholders(std::string_view text, std::vector<Problem>& problems);

// The documents of a manifest for lint: as YAML where it can be read, else with its placeholders
// quoted, and then a warning in `problems` for each. Errors: the first reading's.
Result<std::vector<yaml::Document>> read_for_lint(std::string_view text,
                                                  std::vector<Problem>& problems,
                                                  const json::ReadOptions& options = {});

}  // namespace slipway::api
