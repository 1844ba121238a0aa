#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "lang/expr/failure.h"

namespace slipway::lang::expr {

enum class TokenKind { kIdentifier, kNumber, kString, kBytes, kOperator, kBracket, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string value = {};
  Location at = {};

  bool is(TokenKind wanted) const { return kind == wanted; }
  bool is(TokenKind wanted, std::string_view text) const { return kind == wanted && value == text; }
  bool is_operator(std::string_view text) const { return is(TokenKind::kOperator, text); }
  bool is_bracket(std::string_view text) const { return is(TokenKind::kBracket, text); }

  std::string text() const;  // `Operator("+")`, as messages name it
};

}  // namespace slipway::lang::expr
