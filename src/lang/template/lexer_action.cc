#include <fmt/format.h>

#include "lang/template/lexer.h"
#include "lang/template/quote.h"

// What stands between the delimiters.
namespace slipway::lang::go {

Token Lexer::inside_action() {
  if (bool trims = false; at_right_delim(trims))
    return parens_ == 0 ? right_delim() : error("unclosed left paren");
  const char32_t rune = peek();
  switch (rune) {
    case kEof:
      return error("unclosed action");
    case ' ':
    case '\t':
    case '\r':
    case '\n':
      return space();
    case '=':
      take();
      return token(TokenKind::kAssign);
    case ':':
      take();
      if (take() != '=') return error("expected :=");
      return token(TokenKind::kDeclare);
    case '|':
      take();
      return token(TokenKind::kPipe);
    case '"':
      return quoted('"', TokenKind::kString, "unterminated quoted string");
    case '\'':
      return quoted('\'', TokenKind::kCharConstant, "unterminated character constant");
    case '`':
      return raw_quoted();
    case '$':
      take();
      return field_or_variable(TokenKind::kVariable);
    case '(':
      take();
      ++parens_;
      return token(TokenKind::kLeftParen);
    case ')':
      take();
      if (--parens_ < 0) return error("unexpected right paren");
      return token(TokenKind::kRightParen);
    default:
      break;
  }
  if (rune == '.' && at_ + 1 < input_.size() && (input_[at_ + 1] < '0' || input_[at_ + 1] > '9')) {
    take();
    return field_or_variable(TokenKind::kField);
  }
  if (rune == '.' || rune == '+' || rune == '-' || (rune >= '0' && rune <= '9')) return number();
  if (rune == '_' || is_letter(rune) || is_digit(rune)) return identifier();
  take();
  if (rune < 0x80 && is_print(rune)) return token(TokenKind::kChar);
  return error(fmt::format("unrecognized character in action: {}", describe_rune(rune)));
}

// Escapes are only stepped over here; whether they are right is the parser's question.
Token Lexer::quoted(char mark, TokenKind kind, std::string_view unterminated) {
  take();
  for (;;) {
    const char32_t rune = take();
    if (rune == static_cast<unsigned char>(mark)) return token(kind);
    const char32_t last = rune == '\\' ? take() : rune;
    if (last == kEof || last == '\n') return error(std::string(unterminated));
  }
}

Token Lexer::raw_quoted() {
  take();
  for (;;) {
    const char32_t rune = take();
    if (rune == kEof) return error("unterminated raw quoted string");
    if (rune == '`') return token(TokenKind::kRawString);
  }
}

// Accepts more than numbers, such as "089"; the parser refuses those.
Token Lexer::number() {
  const auto bad = [this] {
    return error(fmt::format("bad number syntax: {}", quote(input_.substr(start_, at_ - start_))));
  };
  if (!scan_number()) return bad();
  const char32_t sign = peek();
  if (sign != '+' && sign != '-') return token(TokenKind::kNumber);
  if (!scan_number() || input_[at_ - 1] != 'i') return bad();
  return token(TokenKind::kComplex);
}

bool Lexer::scan_number() {
  constexpr std::string_view kDecimal = "0123456789_";
  constexpr std::string_view kHex = "0123456789abcdefABCDEF_";
  accept("+-");
  std::string_view digits = kDecimal;
  if (accept("0")) {
    if (accept("xX"))
      digits = kHex;
    else if (accept("oO"))
      digits = "01234567_";
    else if (accept("bB"))
      digits = "01_";
  }
  accept_run(digits);
  if (accept(".")) accept_run(digits);
  if ((digits == kDecimal && accept("eE")) || (digits == kHex && accept("pP"))) {
    accept("+-");
    accept_run(kDecimal);
  }
  accept("i");
  const char32_t next = peek();
  if (next == kEof || (next != '_' && !is_letter(next) && !is_digit(next))) return true;
  take();
  return false;
}

}  // namespace slipway::lang::go
