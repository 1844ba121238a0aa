#include "base/yaml_style.h"

#include <cstddef>

#include "base/utf8.h"
#include "base/yaml_scalar.h"

namespace slipway::yaml {
namespace {

// What a string's characters rule out.
struct Traits {
  bool indicator = false;  // something in it would be read as syntax
  bool multiline = false;
  bool special = false;  // needs escapes
  bool edge_white = false;
  bool trailing_space = false;
  bool space_before_break = false;
  bool space_after_break = false;
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_indicator(std::string_view text, std::size_t at) {
  const char c = text[at];
  const bool blank_follows = at + 1 >= text.size() || is_blank(text[at + 1]);
  if (c == ':') return blank_follows;
  if (at == 0) {
    if (c == '?' || c == '-') return blank_follows;
    return std::string_view("#,[]{}&*!|>'\"%@`").find(c) != std::string_view::npos;
  }
  return c == '#' && (is_blank(text[at - 1]) || text[at - 1] == '\n');
}

Traits examine(std::string_view text) {
  Traits traits;
  traits.indicator = text.starts_with("---") || text.starts_with("...");
  traits.trailing_space = text.ends_with(' ');
  traits.edge_white = text.starts_with(' ') || text.starts_with('\n') || traits.trailing_space ||
                      text.ends_with('\n');
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    const std::size_t length = utf8::length_of_first(rest);
    if (!is_shown(utf8::decode_first(rest, length))) traits.special = true;
    if (is_indicator(text, at)) traits.indicator = true;
    if (text[at] == '\n') {
      traits.multiline = true;
      if (at > 0 && text[at - 1] == ' ') traits.space_before_break = true;
      if (rest.size() > 1 && rest[1] == ' ') traits.space_after_break = true;
    }
    at += length;
  }
  return traits;
}

}  // namespace

bool is_shown(char32_t character) {
  if (character < 0x20) return character == '\n';
  if (character < 0xA0) return character < 0x7F;
  // Line and paragraph separators count as line breaks for some readers: escaped they are safe.
  if (character == 0x2028 || character == 0x2029) return false;
  return character < 0xFFFE && character != 0xFEFF;
}

Style choose_style(std::string_view text, bool as_key) {
  const Traits traits = examine(text);
  const bool escapes = traits.special || traits.space_before_break;
  if (traits.multiline) {
    const bool literal = !as_key && !escapes && !traits.trailing_space;
    return literal ? Style::kLiteral : Style::kDoubleQuoted;
  }
  if (escapes || needs_quotes(text)) return Style::kDoubleQuoted;
  return traits.indicator || traits.edge_white ? Style::kSingleQuoted : Style::kPlain;
}

}  // namespace slipway::yaml
