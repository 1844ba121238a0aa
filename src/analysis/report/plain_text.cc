#include "analysis/report/plain_text.h"

#include <fmt/format.h>

#include <cmath>

#include "base/utf8.h"

namespace slipway::analysis::report {

namespace {

// C0, DEL, C1, line and paragraph separators, and marks that turn the direction of writing.
bool is_control(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  bool blank = false;
  while (!text.empty()) {
    const std::size_t length = utf8::length_of_first(text);
    const char32_t c = length > 0 ? utf8::decode_first(text, length) : 0xFFFD;
    if (c == ' ' || is_control(c)) {
      blank = true;
    } else {
      if (blank && !line.empty()) line += ' ';
      blank = false;
      utf8::append(line, c);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return line;
}

std::string shortened(std::string_view text, std::size_t most) {
  if (characters(text) <= most) return std::string(text);
  if (most == 0) return {};
  std::size_t end = 0;
  for (std::size_t taken = 0; taken + 1 < most; ++taken)
    end += std::max<std::size_t>(utf8::length_of_first(text.substr(end)), 1);
  return std::string(text.substr(0, end)) + "…";
}

std::size_t characters(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

std::string short_number(double value) {
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{:.4g}", value);
}

}  // namespace slipway::analysis::report
