#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

// Cutting texts as Go's strings package does. Private to lang/expr.
namespace slipway::lang::expr {

// At most `limit` parts, the last with all that is left; negative for all. An empty separator cuts
// between characters. `keep`: separators stay at the ends of the parts.
std::vector<std::string_view> split_text(std::string_view text, std::string_view separator,
                                         std::int64_t limit, bool keep);

std::string_view trim_space(std::string_view text);
// Without the characters of `set` at both ends.
std::string_view trim_any(std::string_view text, std::string_view set);

}  // namespace slipway::lang::expr
