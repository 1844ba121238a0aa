#include "lang/expr/split.h"

#include "lang/template/runes.h"

namespace slipway::lang::expr {

namespace {

constexpr std::string_view kSpaces =
    "\t\n\v\f\r \u0085\u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009"
    "\u200a\u2028\u2029\u202f\u205f\u3000";

std::vector<std::string_view> characters(std::string_view text, std::int64_t limit) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const bool last = limit > 0 && static_cast<std::int64_t>(parts.size()) + 1 == limit;
    const std::size_t width = last ? text.size() : go::decode_rune(text).width;
    parts.push_back(text.substr(0, width));
    text.remove_prefix(width);
  }
  return parts;
}

// The bytes of the last character.
std::size_t last_width(std::string_view text) {
  for (std::size_t width = 1; width <= 4 && width <= text.size(); ++width)
    if (go::decode_rune(text.substr(text.size() - width)).width == width) return width;
  return 1;
}

}  // namespace

std::vector<std::string_view> split_text(std::string_view text, std::string_view separator,
                                         std::int64_t limit, bool keep) {
  if (separator.empty()) return characters(text, limit);
  std::vector<std::string_view> parts;
  while (limit < 0 || static_cast<std::int64_t>(parts.size()) + 1 < limit) {
    const auto at = text.find(separator);
    if (at == std::string_view::npos) break;
    parts.push_back(text.substr(0, at + (keep ? separator.size() : 0)));
    text.remove_prefix(at + separator.size());
  }
  parts.push_back(text);
  return parts;
}

std::string_view trim_space(std::string_view text) { return trim_any(text, kSpaces); }

std::string_view trim_any(std::string_view text, std::string_view set) {
  // Whole characters only: a byte of one is no character of the set.
  const auto in_set = [set](std::string_view character) {
    for (std::string_view rest = set; !rest.empty();) {
      const std::size_t width = go::decode_rune(rest).width;
      if (rest.substr(0, width) == character) return true;
      rest.remove_prefix(width);
    }
    return false;
  };
  while (!text.empty()) {
    const std::size_t width = go::decode_rune(text).width;
    if (!in_set(text.substr(0, width))) break;
    text.remove_prefix(width);
  }
  while (!text.empty()) {
    const std::size_t width = last_width(text);
    if (!in_set(text.substr(text.size() - width))) break;
    text.remove_suffix(width);
  }
  return text;
}

}  // namespace slipway::lang::expr
