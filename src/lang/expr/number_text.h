#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

// Numbers in text, as Go's strconv reads and writes them; errors are its texts. Private to
// lang/expr.
namespace slipway::lang::expr {

// strconv.ParseInt; base 0 takes the base from a prefix 0x, 0o or 0b (underscores are not known).
std::expected<std::int64_t, std::string> parse_int(std::string_view text, int base);
// strconv.ParseFloat, "inf" and "NaN" included.
std::expected<double, std::string> parse_float(std::string_view text);
// fmt's %v.
std::string float_text(double number);

}  // namespace slipway::lang::expr
