#pragma once

#include <string>
#include <vector>

#include "api/registry.h"
#include "base/yaml.h"

namespace slipway::api {

struct Problem {
  enum class Severity { kError, kWarning };
  int line = 0;
  std::string field = {};
  Severity severity = Severity::kError;
  std::string message = {};
};

// What is wrong with one manifest, by line; of a List, with each of its items. Pure; knows nothing
// beyond the document, so what it refers to elsewhere is not asked for. One message a mistake: what
// follows from one already named (a required field that is there but misspelt) is left out.
std::vector<Problem> lint(const yaml::Document& document, const Registry& registry);

}  // namespace slipway::api
