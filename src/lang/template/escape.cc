#include <fmt/format.h>

#include <algorithm>

#include "lang/template/functions.h"
#include "lang/template/runes.h"

namespace slipway::lang::go {
namespace {

std::string_view html_for(char c) {
  switch (c) {
    case '\0':
      return "\uFFFD";
    case '"':
      return "&#34;";
    case '\'':
      return "&#39;";
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    default:
      return {};
  }
}

std::string js_for(char c) {
  switch (c) {
    case '\\':
      return "\\\\";
    case '\'':
      return "\\'";
    case '"':
      return "\\\"";
    case '<':
    case '>':
    case '&':
    case '=':
      return fmt::format("\\u{:04X}", static_cast<unsigned>(c));
    default:
      return c >= 0 && c < ' ' ? fmt::format("\\u{:04X}", static_cast<unsigned>(c))
                               : std::string(1, c);
  }
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const std::string_view escaped = html_for(c);
    if (escaped.empty())
      out += c;
    else
      out += escaped;
  }
  return out;
}

std::string escape_js(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const Rune rune = decode_rune(text);
    if (rune.value < 0x80)
      out += js_for(text[0]);
    else if (is_print(rune.value))
      out += text.substr(0, rune.width);
    else
      out += fmt::format("\\u{:04X}", static_cast<std::uint32_t>(rune.value));
    text.remove_prefix(rune.width);
  }
  return out;
}

std::string escape_url_query(std::string_view text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~";
  std::string out;
  for (const char c : text) {
    if (kPlain.find(c) != kPlain.npos)
      out += c;
    else if (c == ' ')
      out += '+';
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace slipway::lang::go
