#pragma once

#include <string>
#include <string_view>

// Text of users as words of HAProxy's configuration.
namespace slipway::runtime::traffic {

// Letters, digits, '-', '_' and '.': may stand within the arguments of a fetch.
bool is_plain_name(std::string_view text);
// Without control characters.
bool is_one_line(std::string_view text);

// One word, whatever is in it but control characters.
std::string quoted(std::string_view text);
// The same where '%' begins a variable.
std::string quoted_format(std::string_view text);
// '%' doubled, not quoted.
std::string format_text(std::string_view text);

}  // namespace slipway::runtime::traffic
