#include "analysis/report/html.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace slipway::analysis::report {

namespace {

bool is_allowed(char32_t c) {
  if (c == '\n' || c == '\t') return true;
  return c >= 0x20 && !(c >= 0x7F && c < 0xA0) && !(c >= 0x202A && c <= 0x202E) &&
         !(c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8::length_of_first(text);
    const char32_t c = length > 0 ? utf8::decode_first(text, length) : 0xFFFD;
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\r':
        break;
      default:
        utf8::append(out, is_allowed(c) ? c : 0xFFFD);
    }
    text.remove_prefix(length > 0 ? length : 1);
  }
  return out;
}

std::string html_text(std::string_view text, std::size_t most) {
  if (text.size() <= most) return html_text(text);
  std::size_t end = 0;
  while (end < most) {
    const std::size_t length = utf8::length_of_first(text.substr(end));
    end += length > 0 ? length : 1;
  }
  return fmt::format("{}… ({} more bytes)", html_text(text.substr(0, end)), text.size() - end);
}

}  // namespace slipway::analysis::report
