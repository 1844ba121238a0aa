#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace slipway::utf8 {

inline constexpr std::string_view kReplacement = "\uFFFD";

// How many bytes the well-formed character at the front of `text` has: 1 to 4. Zero when it is
// malformed (overlong, a surrogate, cut short, beyond U+10FFFF) or `text` is empty.
std::size_t length_of_first(std::string_view text);

// The character at the front of `text`, whose `length` came from length_of_first.
char32_t decode_first(std::string_view text, std::size_t length);

// Surrogates and what lies beyond U+10FFFF become U+FFFD.
void append(std::string& out, char32_t character);

// `text` with each malformed byte replaced by U+FFFD, as Go's json package does.
std::string repaired(std::string_view text);

}  // namespace slipway::utf8
