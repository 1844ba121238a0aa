#include "lang/template/runes.h"

#include <algorithm>

#include "base/utf8.h"

namespace slipway::lang::go {
namespace {

bool in(std::span<const RuneRange> ranges, char32_t rune) {
  const auto after = std::ranges::upper_bound(ranges, rune, {}, &RuneRange::first);
  return after != ranges.begin() && rune <= std::prev(after)->last;
}

bool is_white_space(char32_t rune) {
  return (rune >= '\t' && rune <= '\r') || rune == ' ' || rune == 0x85 || rune == 0xA0 ||
         rune == 0x1680 || (rune >= 0x2000 && rune <= 0x200A) || rune == 0x2028 || rune == 0x2029 ||
         rune == 0x202F || rune == 0x205F || rune == 0x3000;
}

}  // namespace

std::string_view trim_space(std::string_view text) {
  std::size_t begin = text.size(), end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Rune rune = decode_rune(text.substr(at));
    if (!is_white_space(rune.value)) {
      begin = std::min(begin, at);
      end = at + rune.width;
    }
    at += rune.width;
  }
  return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

Rune decode_rune(std::string_view text) {
  const std::size_t width = utf8::length_of_first(text);
  if (width == 0) return {};
  return {.value = utf8::decode_first(text, width), .width = width};
}

std::size_t count_runes(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); text.remove_prefix(decode_rune(text).width)) ++count;
  return count;
}

bool is_letter(char32_t rune) { return in(letter_ranges(), rune); }
bool is_digit(char32_t rune) {
  return rune < 0x80 ? rune >= '0' && rune <= '9' : in(digit_ranges(), rune);
}
bool is_print(char32_t rune) { return rune < 0x7F ? rune >= 0x20 : in(print_ranges(), rune); }
bool is_surrogate(char32_t rune) { return rune >= 0xD800 && rune < 0xE000; }

}  // namespace slipway::lang::go
