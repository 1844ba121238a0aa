#pragma once

#include <string>
#include <string_view>

// Upper and lower case of all scripts. Private to lang/expr.
namespace slipway::lang::expr {

std::string upper_case(std::string_view text);
std::string lower_case(std::string_view text);

}  // namespace slipway::lang::expr
