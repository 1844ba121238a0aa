#include <optional>

#include "base/utf8.h"
#include "lang/expr/lexer.h"
#include "lang/template/runes.h"

// String literals: first the lexer finds where one ends and refuses wrong escapes, then its text is
// made. The two steps do not agree on every escape, and both messages are expr-lang's.
namespace slipway::lang::expr {

namespace {

constexpr char32_t kEnd = 0xFFFFFFFF;
constexpr std::string_view kCannot = "unable to unescape string";
constexpr std::string_view kCannotOctal = "unable to unescape octal sequence in string";

int digit_of(char32_t rune) {
  if (rune >= '0' && rune <= '9') return static_cast<int>(rune - '0');
  const char32_t lower = rune | 0x20;
  if (rune < 0x80 && lower >= 'a' && lower <= 'f') return static_cast<int>(lower - 'a' + 10);
  return 16;
}

std::string with_plain_newlines(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    out += text[i] == '\r' ? '\n' : text[i];
  }
  return out;
}

std::optional<char> simple_escape(char letter) {
  constexpr std::string_view kFrom = "abfnrtv\\'\"`?";
  constexpr std::string_view kTo = "\a\b\f\n\r\t\v\\'\"`?";
  const auto at = kFrom.find(letter);
  if (at == std::string_view::npos) return std::nullopt;
  return kTo[at];
}

// Makes the text of a literal piece by piece.
class Unescaper {
 public:
  Unescaper(std::string_view rest, bool bytes) : rest_(rest), bytes_(bytes) {}

  std::expected<std::string, std::string> run() {
    while (!rest_.empty())
      if (const std::string_view problem = step(); !problem.empty())
        return std::unexpected(std::string(problem));
    return std::move(out_);
  }

 private:
  // Empty, or what is wrong.
  std::string_view step() {
    if (rest_[0] != '\\') {
      const go::Rune rune = go::decode_rune(rest_);
      utf8::append(out_, rune.value);
      rest_.remove_prefix(rune.width);
      return {};
    }
    if (rest_.size() == 1) return "unable to unescape string, found '\\' as last character";
    const char letter = rest_[1];
    rest_.remove_prefix(2);
    if (const auto simple = simple_escape(letter)) {
      out_ += *simple;
      return {};
    }
    if (letter >= '0' && letter <= '3') return octal(letter);
    if (letter == 'x' || letter == 'X') return hex(2);
    if (bytes_) return kCannot;
    if (letter == 'u') return rest_.starts_with('{') ? braced() : hex(4);
    return letter == 'U' ? hex(8) : kCannot;
  }

  std::string_view octal(char first) {
    if (rest_.size() < 2) return kCannotOctal;
    int value = first - '0';
    for (int i = 0; i < 2; ++i) {
      const char digit = rest_[static_cast<std::size_t>(i)];
      if (digit < '0' || digit > '7') return kCannotOctal;
      value = value * 8 + (digit - '0');
    }
    rest_.remove_prefix(2);
    return add(static_cast<char32_t>(value));
  }

  std::string_view hex(std::size_t count) {
    if (rest_.size() < count) return kCannot;
    char32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const int digit = digit_of(static_cast<unsigned char>(rest_[i]));
      if (digit > 15) return kCannot;
      value = value << 4 | static_cast<char32_t>(digit);
    }
    rest_.remove_prefix(count);
    return add(value);
  }

  std::string_view braced() {
    const auto close = rest_.find('}');
    if (close == std::string_view::npos || close < 2 || close > 7) return kCannot;
    rest_.remove_prefix(1);
    const std::string_view problem = hex(close - 1);
    if (problem.empty()) rest_.remove_prefix(1);
    return problem;
  }

  std::string_view add(char32_t value) {
    // A sign bit makes it a negative number in Go, which passes the check and is no character.
    if (value > go::kMaxRune && value < 0x80000000) return kCannot;
    if (bytes_)
      out_ += static_cast<char>(value);
    else
      utf8::append(out_, value);
    return {};
  }

  std::string_view rest_;
  bool bytes_;
  std::string out_;
};

std::expected<std::string, std::string> unescape_either(std::string_view literal, bool bytes) {
  const std::string plain = with_plain_newlines(literal);
  if (plain.size() < 2 || plain.front() != plain.back())
    return std::unexpected(std::string(kCannot));
  return Unescaper(std::string_view(plain).substr(1, plain.size() - 2), bytes).run();
}

}  // namespace

std::expected<std::string, std::string> unescape(std::string_view literal) {
  return unescape_either(literal, false);
}

std::expected<std::string, std::string> unescape_bytes(std::string_view literal) {
  return unescape_either(literal, true);
}

void Lexer::scan_quoted(TokenKind kind, char32_t quote) {
  scan_string(quote);
  const bool bytes = kind == TokenKind::kBytes;
  auto text = bytes ? unescape_bytes(word().substr(1)) : unescape(word());
  if (!text) fail(std::move(text).error());
  emit(kind, std::move(*text));
}

void Lexer::scan_string(char32_t quote) {
  char32_t rune = advance();
  while (rune != quote) {
    if (rune == '\n' || rune == kEnd) fail("literal not terminated");
    rune = rune == '\\' ? scan_escape(quote) : advance();
  }
}

char32_t Lexer::scan_escape(char32_t quote) {
  const char32_t rune = advance();
  if (rune == quote) return advance();
  switch (rune) {
    case 'a':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
    case 'v':
    case '\\':
      return advance();
    case 'x':
      return scan_escape_digits(advance(), 16, 2);
    case 'u':
      return peek() == '{' ? scan_braced_escape() : scan_escape_digits(advance(), 16, 4);
    case 'U':
      return scan_escape_digits(advance(), 16, 8);
    default:
      if (rune >= '0' && rune <= '7') return scan_escape_digits(rune, 8, 3);
      fail("invalid char escape");
  }
}

char32_t Lexer::scan_escape_digits(char32_t first, int base, int count) {
  while (count > 0 && digit_of(first) < base) {
    first = advance();
    --count;
  }
  if (count > 0) fail("invalid char escape");
  return first;
}

char32_t Lexer::scan_braced_escape() {
  advance();
  int digits = 0;
  for (; peek() != '}'; ++digits) {
    if (digit_of(peek()) >= 16 || digits >= 6) fail("invalid char escape");
    advance();
  }
  if (digits == 0) fail("invalid char escape");
  advance();
  return advance();
}

void Lexer::scan_raw_string() {
  std::string text;
  while (true) {
    const std::size_t before = end_.byte;
    const char32_t rune = advance();
    if (rune == kEnd) fail("literal not terminated");
    if (rune == '`') {
      if (peek() != '`') break;
      advance();
    }
    text += rune == '`' ? "`" : source_.substr(before, end_.byte - before);
  }
  emit(TokenKind::kString, std::move(text));
}

}  // namespace slipway::lang::expr
