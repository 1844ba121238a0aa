#include "lang/expr/lexer.h"

#include <fmt/format.h>

#include "lang/template/quote.h"
#include "lang/template/runes.h"

namespace slipway::lang::expr {

namespace {

constexpr char32_t kEnd = 0xFFFFFFFF;
constexpr std::string_view kDecimal = "0123456789_";

bool is_space(char32_t rune) {
  switch (rune) {
    case '\t':
    case '\n':
    case '\v':
    case '\f':
    case '\r':
    case ' ':
    case 0x85:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202f:
    case 0x205f:
    case 0x3000:
      return true;
    default:
      return rune >= 0x2000 && rune <= 0x200a;
  }
}

bool among(std::string_view set, char32_t rune) {
  return rune < 0x80 && set.find(static_cast<char>(rune)) != std::string_view::npos;
}

}  // namespace

std::string Token::text() const {
  constexpr std::string_view kNames[] = {"Identifier", "Number",  "String", "Bytes",
                                         "Operator",   "Bracket", "EOF"};
  const std::string_view name = kNames[static_cast<int>(kind)];
  if (value.empty()) return std::string(name);
  return fmt::format("{}({})", name, go::quote(value));
}

bool is_alphabetic(char32_t rune) { return rune == '_' || rune == '$' || go::is_letter(rune); }

bool is_alphanumeric(char32_t rune) { return is_alphabetic(rune) || go::is_digit(rune); }

bool is_identifier(std::string_view text) {
  bool first = true;
  while (!text.empty()) {
    const go::Rune rune = go::decode_rune(text);
    if (!(first ? is_alphabetic(rune.value) : is_alphanumeric(rune.value))) return false;
    text.remove_prefix(rune.width);
    first = false;
  }
  return !first;
}

Token Lexer::next() {
  while (ready_.empty()) scan();
  Token token = std::move(ready_.front());
  ready_.pop_front();
  return token;
}

char32_t Lexer::advance() {
  if (end_.byte >= source_.size()) {
    at_end_ = true;
    return kEnd;
  }
  const go::Rune rune = go::decode_rune(source_.substr(end_.byte));
  end_.byte += rune.width;
  ++end_.rune;
  return rune.value;
}

char32_t Lexer::peek() const {
  return end_.byte < source_.size() ? go::decode_rune(source_.substr(end_.byte)).value : kEnd;
}

void Lexer::back_up() {
  if (at_end_) {
    at_end_ = false;
    return;
  }
  std::size_t byte = start_.byte;
  while (true) {
    const std::size_t width = go::decode_rune(source_.substr(byte)).width;
    if (byte + width >= end_.byte) break;
    byte += width;
  }
  end_ = {.byte = byte, .rune = end_.rune - 1};
}

bool Lexer::accept(std::string_view valid) {
  if (!among(valid, peek())) return false;
  advance();
  return true;
}

void Lexer::accept_run(std::string_view valid) {
  while (accept(valid)) {
  }
}

void Lexer::accept_word() {
  while (is_alphanumeric(peek())) advance();
}

void Lexer::emit(TokenKind kind, std::string value) {
  ready_.push_back(
      {.kind = kind, .value = std::move(value), .at = {.from = start_.rune, .to = end_.rune}});
  start_ = end_;
}

void Lexer::emit_end() {
  ready_.push_back(
      {.kind = TokenKind::kEnd, .at = {.from = std::max(end_.rune - 1, 0), .to = end_.rune}});
}

void Lexer::fail(std::string message) const {
  const int end = end_.rune + (at_end_ ? 1 : 0);
  throw SourceFailure{std::move(message), {.from = end - 1, .to = end}};
}

void Lexer::scan() {
  const char32_t rune = advance();
  if (rune == kEnd) return emit_end();
  if (is_space(rune)) {
    start_ = end_;
  } else if (rune == '\'' || rune == '"') {
    scan_quoted(TokenKind::kString, rune);
  } else if (rune == '`') {
    scan_raw_string();
  } else if ((rune == 'b' || rune == 'B') && among("'\"", peek())) {
    scan_quoted(TokenKind::kBytes, advance());
  } else if (rune >= '0' && rune <= '9') {
    back_up();
    scan_number();
  } else if (rune == '.') {
    scan_dot();
  } else if (is_alphanumeric(rune)) {
    scan_identifier();
  } else {
    scan_symbol(rune);
  }
}

void Lexer::scan_symbol(char32_t first) {
  if (first == '/') return scan_slash();
  if (first == '#') return scan_pointer();
  if (among("()[]{}", first)) return emit(TokenKind::kBracket);
  if (first == '?') {
    accept(".?");
  } else if (first == '|') {
    accept("|");
  } else if (first == ':') {
    accept(":");
  } else if (among("&!=*<>", first)) {
    accept("&=*");
  } else if (!among(",;%+-^", first)) {
    fail("unrecognized character: " + go::describe_rune(first));
  }
  emit(TokenKind::kOperator);
}

void Lexer::scan_number() {
  if (!scan_digits()) fail("bad number syntax: " + go::quote(word()));
  emit(TokenKind::kNumber);
}

bool Lexer::scan_digits() {
  std::string_view digits = kDecimal;
  if (accept("0")) {
    if (accept("xX"))
      digits = "0123456789abcdefABCDEF_";
    else if (accept("oO"))
      digits = "01234567_";
    else if (accept("bB"))
      digits = "01_";
  }
  accept_run(digits);
  const Position end = end_;
  if (accept(".")) {
    // 1..2 is a range, not a number that ends in a point.
    if (peek() == '.') {
      end_ = end;
      return true;
    }
    accept_run(digits);
  }
  if (accept("eE")) {
    accept("+-");
    accept_run(digits);
  }
  if (!is_alphanumeric(peek())) return true;
  advance();
  return false;
}

void Lexer::scan_dot() {
  if (among("0123456789", peek())) return scan_number();
  accept(".");
  emit(TokenKind::kOperator);
}

void Lexer::scan_identifier() {
  accept_word();
  const std::string_view found = word();
  if (found == "not") return scan_not();
  for (const std::string_view name :
       {"in", "or", "and", "matches", "contains", "startsWith", "endsWith", "let", "if", "else"})
    if (found == name) return emit(TokenKind::kOperator);
  emit(TokenKind::kIdentifier);
}

// `not in` is two operators whatever stands around the blanks between them.
void Lexer::scan_not() {
  emit(TokenKind::kOperator);
  accept_run(" ");
  start_ = end_;
  accept_word();
  for (const std::string_view name : {"in", "matches", "contains", "startsWith", "endsWith"})
    if (word() == name) return emit(TokenKind::kOperator);
  end_ = start_;
}

void Lexer::scan_slash() {
  if (accept("/")) {
    char32_t rune = advance();
    while (rune != kEnd && rune != '\n') rune = advance();
  } else if (accept("*")) {
    while (true) {
      const char32_t rune = advance();
      if (rune == kEnd) fail("unclosed comment");
      if (rune == '*' && accept("/")) break;
    }
  } else {
    return emit(TokenKind::kOperator);
  }
  at_end_ = false;
  start_ = end_;
}

void Lexer::scan_pointer() {
  accept("#");
  emit(TokenKind::kOperator);
  accept_word();
  if (!word().empty()) emit(TokenKind::kIdentifier);
}

}  // namespace slipway::lang::expr
