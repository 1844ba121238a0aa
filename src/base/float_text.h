#pragma once

#include <string>

// The shortest digits that read back as the same number, laid out as Go's strconv does.
namespace slipway {

// Without exponent: "0.95", "100000000000000000000". Finite numbers only, here and below.
void append_fixed(std::string& out, double number);
// With exponent: "1e+21", "1.5e-07".
void append_scientific(std::string& out, double number);
// Go's 'g': an exponent below 1e-4 and from 1e6 up, where the digits alone do not show the size.
std::string general_text(double number);
std::string general_text(float number);

}  // namespace slipway
