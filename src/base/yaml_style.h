#pragma once

#include <string_view>

namespace slipway::yaml {

enum class Style { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral };

// How go-yaml v2 writes a well-formed UTF-8 string in block context; `as_key`: on one line before a
// colon. Private to base/.
Style choose_style(std::string_view text, bool as_key);

// Whether YAML shows the character as it is; others are escaped. go-yaml counts neither tabs nor
// anything beyond U+FFFF among them.
bool is_shown(char32_t character);

}  // namespace slipway::yaml
