#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace slipway::lang::expr {

// Why a condition has no answer, in expr-lang's words.
struct Problem {
  std::string message = {};  // what Argo Rollouts reports
  int line = 0;              // 0 when there is no place in the source
  int column = 0;            // from 1, in characters
  std::string snippet = {};  // "\n | source line\n | ....^"

  // "message (1:5)\n | result..\n | ....^", as expr-lang prints it.
  std::string text() const;
};

template <class T>
using Outcome = std::expected<T, Problem>;

// The problem at the character `from` (counted from 0) of `source`.
Problem problem_at(std::string_view source, int from, std::string message);

}  // namespace slipway::lang::expr
