#pragma once

#include <deque>
#include <expected>
#include <string>
#include <string_view>

#include "lang/expr/token.h"

namespace slipway::lang::expr {

// Cuts a condition into tokens, one at a time, so that a parser that stops early reports its own
// error and not one further on. Throws SourceFailure.
class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  // After the end token there is nothing to ask for.
  Token next();

 private:
  struct Position {
    std::size_t byte = 0;
    int rune = 0;
  };

  char32_t advance();
  char32_t peek() const;
  void back_up();
  bool accept(std::string_view valid);
  void accept_run(std::string_view valid);
  void accept_word();
  std::string_view word() const { return source_.substr(start_.byte, end_.byte - start_.byte); }
  void emit(TokenKind kind) { emit(kind, std::string(word())); }
  void emit(TokenKind kind, std::string value);
  void emit_end();
  [[noreturn]] void fail(std::string message) const;

  void scan();
  void scan_symbol(char32_t first);
  void scan_number();
  bool scan_digits();
  void scan_dot();
  void scan_identifier();
  void scan_not();
  void scan_slash();
  void scan_pointer();
  void scan_quoted(TokenKind kind, char32_t quote);
  void scan_string(char32_t quote);
  char32_t scan_escape(char32_t quote);
  char32_t scan_escape_digits(char32_t first, int base, int count);
  char32_t scan_braced_escape();
  void scan_raw_string();

  std::string_view source_;
  Position start_;
  Position end_;
  bool at_end_ = false;
  std::deque<Token> ready_;
};

// The text of a literal in single or double quotes; the error is the message.
std::expected<std::string, std::string> unescape(std::string_view literal);
// The same of b'…': escapes are bytes, not characters.
std::expected<std::string, std::string> unescape_bytes(std::string_view literal);

bool is_alphabetic(char32_t rune);
bool is_alphanumeric(char32_t rune);
bool is_identifier(std::string_view text);

}  // namespace slipway::lang::expr
