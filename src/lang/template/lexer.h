#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "lang/template/runes.h"

// Cuts a template into text and the tokens of its actions, trimming space where markers ask for it.
// Private to lang/template.
namespace slipway::lang::go {

enum class TokenKind {
  kError,  // text says what is wrong
  kBool,
  kChar,  // a single printable character, such as a comma
  kCharConstant,
  kComplex,
  kAssign,
  kDeclare,
  kEnd,  // of the template
  kField,
  kIdentifier,
  kLeftDelim,
  kLeftParen,
  kNumber,
  kPipe,
  kRawString,
  kRightDelim,
  kRightParen,
  kSpace,
  kString,
  kText,
  kVariable,
  // Keywords from here on.
  kBlock,
  kBreak,
  kContinue,
  kDot,
  kDefine,
  kElse,
  kEndKeyword,
  kIf,
  kNil,
  kRange,
  kTemplate,
  kWith,
};

struct Token {
  TokenKind kind = TokenKind::kError;
  std::size_t at = 0;  // bytes from the start of the template
  std::string text = {};
  int line = 0;
};

// As error messages name it: "abc", <end>, EOF.
std::string describe(const Token& token);

class Lexer {
 public:
  struct Options {
    bool break_is_keyword = true;  // false when a function has that name
    bool continue_is_keyword = true;
  };

  Lexer(std::string_view input, Options options) : input_(input), options_(options) {}

  // After an error there are only errors.
  Token next();

 private:
  static constexpr char32_t kEof = 0xFFFFFFFF;

  Token text();
  // Nothing when it opened a comment, which is then behind.
  std::optional<Token> left_delim();
  std::optional<Token> skip_comment();
  Token right_delim();
  Token inside_action();
  Token space();
  Token identifier();
  Token field_or_variable(TokenKind kind);
  Token quoted(char mark, TokenKind kind, std::string_view unterminated);
  Token raw_quoted();
  Token number();
  bool scan_number();

  char32_t take();  // kEof at the end
  char32_t peek() const;
  bool accept(std::string_view valid);
  void accept_run(std::string_view valid);
  bool at_terminator() const;
  bool at_right_delim(bool& trims) const;
  std::string_view rest() const { return input_.substr(at_); }

  Token token(TokenKind kind);
  Token error(std::string message);
  void skip(std::size_t count);  // what no token shows, newlines counted

  std::string_view input_;
  Options options_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
  int line_ = 1;
  int start_line_ = 1;
  int parens_ = 0;
  bool in_action_ = false;
};

}  // namespace slipway::lang::go
