#include "lang/expr/split.h"

#include <algorithm>

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

// A byte that belongs to none is one of its own.
go::Rune last_rune(std::string_view text) {
  for (std::size_t width = std::min<std::size_t>(text.size(), 4); width > 1; --width)
    if (const auto rune = go::decode_rune(text.substr(text.size() - width)); rune.width == width)
      return rune;
  return go::decode_rune(text.substr(text.size() - 1));
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
  const auto in_set = [set](char32_t character) {
    for (std::string_view rest = set; !rest.empty();) {
      const go::Rune one = go::decode_rune(rest);
      if (one.value == character) return true;
      rest.remove_prefix(one.width);
    }
    return false;
  };
  while (!text.empty()) {
    const go::Rune first = go::decode_rune(text);
    if (!in_set(first.value)) break;
    text.remove_prefix(first.width);
  }
  while (!text.empty()) {
    const go::Rune last = last_rune(text);
    if (!in_set(last.value)) break;
    text.remove_suffix(last.width);
  }
  return text;
}

}  // namespace slipway::lang::expr
