#pragma once

#include <optional>
#include <string_view>

namespace slipway::lang::expr {

struct Precedence {
  int level = 0;
  bool right = false;  // groups from the right
};

std::optional<Precedence> unary_operator(std::string_view text);
std::optional<Precedence> binary_operator(std::string_view text);
bool is_comparison(std::string_view text);   // chains: a < b < c
bool may_be_negated(std::string_view text);  // not in, not contains, …
bool is_and(std::string_view text);
bool is_or(std::string_view text);

}  // namespace slipway::lang::expr
