#include "lang/template/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/template/quote.h"

namespace slipway::lang::go {
namespace {

constexpr std::string_view kLeft = "{{";
constexpr std::string_view kRight = "}}";
constexpr std::string_view kSpaces = " \t\r\n";
constexpr std::size_t kTrimMarker = 2;  // the minus and the space beside it

bool is_space(char32_t rune) { return rune == ' ' || rune == '\t' || rune == '\r' || rune == '\n'; }

bool is_alphanumeric(char32_t rune) { return rune == '_' || is_letter(rune) || is_digit(rune); }

bool has_left_marker(std::string_view text) {
  return text.size() >= 2 && text[0] == '-' && is_space(static_cast<unsigned char>(text[1]));
}

bool has_right_marker(std::string_view text) {
  return text.size() >= 2 && is_space(static_cast<unsigned char>(text[0])) && text[1] == '-';
}

std::size_t leading_spaces(std::string_view text) {
  return std::min(text.find_first_not_of(kSpaces), text.size());
}

int newlines(std::string_view text) { return static_cast<int>(std::ranges::count(text, '\n')); }

struct Keyword {
  std::string_view word;
  TokenKind kind;
};
constexpr Keyword kKeywords[] = {
    {"block", TokenKind::kBlock},
    {"break", TokenKind::kBreak},
    {"continue", TokenKind::kContinue},
    {"define", TokenKind::kDefine},
    {"else", TokenKind::kElse},
    {"end", TokenKind::kEndKeyword},
    {"if", TokenKind::kIf},
    {"range", TokenKind::kRange},
    {"nil", TokenKind::kNil},
    {"template", TokenKind::kTemplate},
    {"with", TokenKind::kWith},
    {"true", TokenKind::kBool},
    {"false", TokenKind::kBool},
};

}  // namespace

std::string describe(const Token& token) {
  if (token.kind == TokenKind::kEnd) return "EOF";
  if (token.kind == TokenKind::kError) return token.text;
  if (token.kind >= TokenKind::kBlock) return "<" + token.text + ">";
  if (token.text.size() <= 10) return quote(token.text);
  std::string_view shown = token.text;
  std::size_t end = 0;
  for (int i = 0; i < 10 && end < shown.size(); ++i) end += decode_rune(shown.substr(end)).width;
  return quote(shown.substr(0, end)) + "...";
}

Token Lexer::next() { return in_action_ ? inside_action() : text(); }

Token Lexer::text() {
  for (;;) {
    const std::size_t found = input_.find(kLeft, at_);
    if (found == input_.npos) {
      const bool any = at_ < input_.size();
      at_ = input_.size();
      line_ += newlines(input_.substr(start_));
      return token(any ? TokenKind::kText : TokenKind::kEnd);
    }
    const std::string_view before = input_.substr(at_, found - at_);
    std::size_t kept = before.size();
    if (has_left_marker(input_.substr(found + kLeft.size()))) {
      const auto last = before.find_last_not_of(kSpaces);
      kept = last == before.npos ? 0 : last + 1;
    }
    at_ += kept;
    line_ += newlines(before.substr(0, kept));
    Token shown = token(TokenKind::kText);
    skip(before.size() - kept);
    if (!shown.text.empty()) return shown;
    if (auto delim = left_delim()) return std::move(*delim);
  }
}

std::optional<Token> Lexer::left_delim() {
  at_ += kLeft.size();
  const std::size_t marker = has_left_marker(rest()) ? kTrimMarker : 0;
  if (input_.substr(at_ + marker).starts_with("/*")) {
    skip(marker);
    return skip_comment();
  }
  Token delim = token(TokenKind::kLeftDelim);
  in_action_ = true;
  skip(marker);
  parens_ = 0;
  return delim;
}

std::optional<Token> Lexer::skip_comment() {
  start_ = at_;
  start_line_ = line_;
  const std::size_t end = input_.find("*/", at_ + 2);
  if (end == input_.npos) return error("unclosed comment");
  at_ = end + 2;
  bool trims = false;
  if (!at_right_delim(trims)) return error("comment ends before closing delimiter");
  line_ += newlines(input_.substr(start_, at_ - start_));
  std::size_t hidden = kRight.size() + (trims ? kTrimMarker : 0);
  if (trims) hidden += leading_spaces(input_.substr(at_ + hidden));
  skip(hidden);
  return std::nullopt;
}

Token Lexer::right_delim() {
  bool trims = false;
  at_right_delim(trims);
  if (trims) skip(kTrimMarker);
  at_ += kRight.size();
  Token delim = token(TokenKind::kRightDelim);
  if (trims) skip(leading_spaces(rest()));
  in_action_ = false;
  return delim;
}

Token Lexer::space() {
  std::size_t count = leading_spaces(rest());
  // The last space may belong to a closing delimiter that trims.
  const std::string_view last = input_.substr(at_ + count - 1);
  if (has_right_marker(last) && last.substr(kTrimMarker).starts_with(kRight)) --count;
  if (count == 0) return right_delim();
  line_ += newlines(input_.substr(at_, count));
  at_ += count;
  return token(TokenKind::kSpace);
}

Token Lexer::identifier() {
  while (is_alphanumeric(peek())) take();
  const std::string_view word = input_.substr(start_, at_ - start_);
  if (!at_terminator()) return error(fmt::format("bad character {}", describe_rune(peek())));
  const auto known = std::ranges::find(kKeywords, word, &Keyword::word);
  if (known == std::end(kKeywords)) return token(TokenKind::kIdentifier);
  const bool as_name = (known->kind == TokenKind::kBreak && !options_.break_is_keyword) ||
                       (known->kind == TokenKind::kContinue && !options_.continue_is_keyword);
  return token(as_name ? TokenKind::kIdentifier : known->kind);
}

Token Lexer::field_or_variable(TokenKind kind) {
  if (at_terminator()) return token(kind == TokenKind::kVariable ? kind : TokenKind::kDot);
  while (is_alphanumeric(peek())) take();
  if (!at_terminator()) return error(fmt::format("bad character {}", describe_rune(peek())));
  return token(kind);
}

bool Lexer::at_terminator() const {
  const char32_t rune = peek();
  if (rune == kEof || is_space(rune)) return true;
  if (rune < 0x80 &&
      std::string_view(".,|:)(").find(static_cast<char>(rune)) != std::string_view::npos)
    return true;
  return rest().starts_with(kRight);
}

bool Lexer::at_right_delim(bool& trims) const {
  trims = has_right_marker(rest()) && rest().substr(kTrimMarker).starts_with(kRight);
  return trims || rest().starts_with(kRight);
}

char32_t Lexer::peek() const { return at_ < input_.size() ? decode_rune(rest()).value : kEof; }

char32_t Lexer::take() {
  if (at_ >= input_.size()) return kEof;
  const Rune rune = decode_rune(rest());
  at_ += rune.width;
  if (rune.value == '\n') ++line_;
  return rune.value;
}

bool Lexer::accept(std::string_view valid) {
  const char32_t rune = peek();
  if (rune >= 0x80 || valid.find(static_cast<char>(rune)) == valid.npos) return false;
  take();
  return true;
}

void Lexer::accept_run(std::string_view valid) {
  while (accept(valid)) {
  }
}

Token Lexer::token(TokenKind kind) {
  Token out{.kind = kind,
            .at = start_,
            .text = std::string(input_.substr(start_, at_ - start_)),
            .line = start_line_};
  start_ = at_;
  start_line_ = line_;
  return out;
}

Token Lexer::error(std::string message) {
  Token out{
      .kind = TokenKind::kError, .at = start_, .text = std::move(message), .line = start_line_};
  input_ = {};
  at_ = start_ = 0;
  return out;
}

void Lexer::skip(std::size_t count) {
  line_ += newlines(input_.substr(at_, count));
  at_ += count;
  start_ = at_;
  start_line_ = line_;
}

}  // namespace slipway::lang::go
