#include "lang/template/quote.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/utf8.h"
#include "lang/template/runes.h"

namespace slipway::lang::go {
namespace {

struct Escape {
  char letter;
  char character;
};
constexpr Escape kEscapes[] = {{'a', '\a'}, {'b', '\b'}, {'f', '\f'}, {'n', '\n'},
                               {'r', '\r'}, {'t', '\t'}, {'v', '\v'}};

void append_escaped(std::string& out, char32_t rune, char mark, QuoteStyle style) {
  if (rune == static_cast<unsigned char>(mark) || rune == '\\') {
    out += '\\';
    out += static_cast<char>(rune);
    return;
  }
  if (is_print(rune) && (style == QuoteStyle::kUnicode || rune < 0x80)) {
    utf8::append(out, rune);
    return;
  }
  for (const Escape& escape : kEscapes) {
    if (rune != static_cast<unsigned char>(escape.character)) continue;
    out += '\\';
    out += escape.letter;
    return;
  }
  const auto code =
      static_cast<std::uint32_t>(rune > kMaxRune || is_surrogate(rune) ? kReplacementRune : rune);
  if (code < 0x20 || code == 0x7F)
    out += fmt::format("\\x{:02x}", code);
  else if (code < 0x10000)
    out += fmt::format("\\u{:04x}", code);
  else
    out += fmt::format("\\U{:08x}", code);
}

std::optional<char32_t> number_of(std::string_view digits, unsigned base) {
  char32_t value = 0;
  for (const char c : digits) {
    const unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                           : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a') + 10
                           : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A') + 10
                                                  : 99;
    if (digit >= base) return std::nullopt;
    value = value * base + digit;
  }
  return value;
}

// \xFF \u0100 \U00010000: `digits` is how many must follow.
std::optional<LiteralChar> hex_escape(std::string_view text, std::size_t digits) {
  if (text.size() < 2 + digits) return std::nullopt;
  const auto value = number_of(text.substr(2, digits), 16);
  if (!value) return std::nullopt;
  if (digits == 2) return LiteralChar{.value = *value, .multibyte = false, .length = 4};
  if (*value > kMaxRune || is_surrogate(*value)) return std::nullopt;
  return LiteralChar{.value = *value, .multibyte = true, .length = 2 + digits};
}

std::optional<LiteralChar> escape(std::string_view text, char mark) {
  if (text.size() < 2) return std::nullopt;
  const char letter = text[1];
  for (const Escape& known : kEscapes)
    if (letter == known.letter)
      return LiteralChar{.value = static_cast<unsigned char>(known.character), .length = 2};
  switch (letter) {
    case 'x':
      return hex_escape(text, 2);
    case 'u':
      return hex_escape(text, 4);
    case 'U':
      return hex_escape(text, 8);
    case '\\':
      return LiteralChar{.value = '\\', .length = 2};
    case '\'':
    case '"':
      if (letter != mark) return std::nullopt;
      return LiteralChar{.value = static_cast<unsigned char>(letter), .length = 2};
    default:
      break;
  }
  if (letter < '0' || letter > '7' || text.size() < 4) return std::nullopt;
  const auto value = number_of(text.substr(1, 3), 8);
  if (!value || *value > 255) return std::nullopt;
  return LiteralChar{.value = *value, .length = 4};
}

std::optional<std::string> unquote_raw(std::string_view literal) {
  const std::string_view inside = literal.substr(1, literal.size() - 2);
  if (literal.back() != '`' || inside.find('`') != inside.npos) return std::nullopt;
  std::string out(inside);
  std::erase(out, '\r');
  return out;
}

}  // namespace

std::string quote(std::string_view text, QuoteStyle style) {
  std::string out = "\"";
  while (!text.empty()) {
    const Rune rune = decode_rune(text);
    if (rune.malformed())
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else
      append_escaped(out, rune.value, '"', style);
    text.remove_prefix(rune.width);
  }
  return out + '"';
}

std::string quote_rune(char32_t rune, QuoteStyle style) {
  std::string out = "'";
  append_escaped(out, rune > kMaxRune || is_surrogate(rune) ? kReplacementRune : rune, '\'', style);
  return out + '\'';
}

bool can_backquote(std::string_view text) {
  while (!text.empty()) {
    const Rune rune = decode_rune(text);
    if (rune.malformed() || rune.value == 0xFEFF || rune.value == '`' || rune.value == 0x7F ||
        (rune.value < ' ' && rune.value != '\t'))
      return false;
    text.remove_prefix(rune.width);
  }
  return true;
}

std::optional<LiteralChar> unquote_char(std::string_view text, char quote_mark) {
  if (text.empty() || text[0] == quote_mark) return std::nullopt;
  if (text[0] == '\\') return escape(text, quote_mark);
  const Rune rune = decode_rune(text);
  return LiteralChar{.value = rune.value, .multibyte = (text[0] & 0x80) != 0, .length = rune.width};
}

std::optional<std::string> unquote(std::string_view literal) {
  if (literal.size() < 2) return std::nullopt;
  const char mark = literal[0];
  if (mark == '`') return unquote_raw(literal);
  if (mark != '"' && mark != '\'') return std::nullopt;
  std::string out;
  std::string_view rest = literal.substr(1);
  while (!rest.empty() && rest[0] != mark) {
    const auto next = unquote_char(rest, mark);
    if (rest[0] == '\n' || !next) return std::nullopt;
    if (next->multibyte)
      utf8::append(out, next->value);
    else
      out += static_cast<char>(next->value);
    rest.remove_prefix(next->length);
  }
  if (rest.size() != 1) return std::nullopt;
  return out;
}

std::string describe_rune(char32_t rune) {
  std::string out = fmt::format("U+{:04X}", static_cast<std::uint32_t>(rune));
  if (rune <= kMaxRune && is_print(rune)) {
    out += " '";
    utf8::append(out, rune);
    out += '\'';
  }
  return out;
}

}  // namespace slipway::lang::go
