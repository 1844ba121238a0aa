#include "runtime/traffic/words.h"

#include <algorithm>
#include <cctype>

namespace slipway::runtime::traffic {

bool is_plain_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.';
  });
}

bool is_one_line(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

std::string quoted(std::string_view text) {
  std::string word = "'";
  for (const char c : text)
    if (c == '\'')
      word += R"('\'')";
    else
      word += c;
  return word + "'";
}

std::string format_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '%') out += '%';
  }
  return out;
}

std::string quoted_format(std::string_view text) { return quoted(format_text(text)); }

}  // namespace slipway::runtime::traffic
