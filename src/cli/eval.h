#pragma once

#include <string>

namespace slipway::cli {

struct EvalOptions {
  std::string condition = {};
  std::string result = "null";  // JSON
  bool ints = false;            // numbers without point or exponent are integers
  std::string batch = {};       // file of cases, or -
  std::string output = {};
};

// Answers `true` (exit 0) or `false` (1); a condition or result that cannot be evaluated is exit 3.
// A batch case is {"id","condition","result","ints"}, its answer {"value"} or {"error"}.
int eval(const EvalOptions& options);

}  // namespace slipway::cli
