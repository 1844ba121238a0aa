#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Texts of others, made fit to be shown.
namespace slipway::analysis::report {

// For one line of a terminal: control characters, line ends and what is no UTF-8 cannot do anything
// there. Blanks in a row are one.
std::string one_line(std::string_view text);

// The first `most` characters, the last of them "…" when there are more. For UTF-8.
std::string shortened(std::string_view text, std::size_t most);

// Characters, as far as a terminal shows them.
std::size_t characters(std::string_view text);

// "0.0123", "1.2e+09": four digits, for people. NaN is "-".
std::string short_number(double value);

}  // namespace slipway::analysis::report
