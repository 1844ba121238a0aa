#pragma once

#include <string>

// strconv.FormatFloat: Go's spelling of floating-point numbers.
namespace slipway::lang::go {

// `verb` is one of b e E f g G x X. A negative precision asks for the shortest text that reads back
// as the same number. Infinities and NaN are +Inf, -Inf, NaN.
std::string format_float(double number, char verb, int precision);

}  // namespace slipway::lang::go
