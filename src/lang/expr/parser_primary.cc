#include <fmt/format.h>

#include <algorithm>

#include "lang/expr/number_text.h"
#include "lang/expr/operators.h"
#include "lang/expr/parser.h"

// The innermost parts of an expression: literals, names, brackets.
namespace slipway::lang::expr {

NodePtr Parser::parse_primary() {
  const Token token = current_;
  if (token.is(TokenKind::kOperator)) {
    if (const auto found = unary_operator(token.value)) {
      next();
      NodePtr operand = parse_expression(found->level);
      return parse_postfix(make({.kind = NodeKind::kUnary,
                                 .at = token.at,
                                 .text = token.value,
                                 .parts = {std::move(operand)}}));
    }
  }
  if (token.is_bracket("(")) {
    next();
    NodePtr inside = parse_sequence();
    expect_bracket(")");
    return parse_postfix(std::move(inside));
  }
  if (predicates_ > 0 && (token.is_operator("#") || token.is_operator("."))) {
    std::string name;
    if (token.is_operator("#")) {
      next();
      if (current_.is(TokenKind::kIdentifier)) {
        name = current_.value;
        next();
      }
    }
    return parse_postfix(make({.kind = NodeKind::kPointer, .at = token.at, .text = name}));
  }
  if (token.is_operator("::")) {
    next();
    const Token name = expect_identifier();
    return parse_postfix(parse_call(name, {}));
  }
  return parse_secondary();
}

NodePtr Parser::parse_secondary() {
  const Token token = current_;
  switch (token.kind) {
    case TokenKind::kIdentifier:
      return parse_name();
    case TokenKind::kNumber:
      return parse_number();
    case TokenKind::kString:
      next();
      return parse_postfix(make({.kind = NodeKind::kString, .at = token.at, .text = token.value}));
    case TokenKind::kBytes:
      next();
      return parse_postfix(make({.kind = NodeKind::kBytes, .at = token.at, .text = token.value}));
    default:
      if (token.is_bracket("[")) return parse_postfix(parse_array());
      if (token.is_bracket("{")) return parse_postfix(parse_map());
      unexpected();
  }
}

NodePtr Parser::parse_name() {
  const Token token = current_;
  next();
  if (token.value == "true" || token.value == "false")
    return make({.kind = NodeKind::kBool, .at = token.at, .flag = token.value == "true"});
  if (token.value == "nil") return make({.kind = NodeKind::kNil, .at = token.at});
  if (current_.is_bracket("(")) return parse_postfix(parse_call(token, {}));
  return parse_postfix(make({.kind = NodeKind::kIdentifier, .at = token.at, .text = token.value}));
}

NodePtr Parser::parse_number() {
  const Token token = current_;
  next();
  std::string text = token.value;
  std::erase(text, '_');
  std::string lower = text;
  std::ranges::transform(lower, lower.begin(), [](char c) { return static_cast<char>(c | 0x20); });
  const bool hex = lower.starts_with("0x");
  // '.' with bit 5 set is still '.'.
  if (!hex && lower.find_first_of(".e") != std::string::npos) {
    const auto number = parse_float(text);
    if (!number) fail("invalid float literal: " + number.error());
    return make({.kind = NodeKind::kFloat, .at = token.at, .number = *number});
  }
  const bool binary = lower.starts_with("0b");
  const bool octal = lower.starts_with("0o");
  const auto number = parse_int(text, hex || binary || octal ? 0 : 10);
  if (!number)
    fail(fmt::format("invalid {} literal: {}",
                     hex      ? "hex"
                     : binary ? "binary"
                     : octal  ? "octal"
                              : "integer",
                     number.error()));
  return make({.kind = NodeKind::kInteger, .at = token.at, .integer = *number});
}

NodePtr Parser::parse_array() {
  const Token token = current_;
  next();
  std::vector<NodePtr> items;
  while (!current_.is_bracket("]")) {
    if (!items.empty()) {
      expect_operator(",");
      if (current_.is_bracket("]")) break;
    }
    items.push_back(parse_expression(0));
  }
  expect_bracket("]");
  return make({.kind = NodeKind::kArray, .at = token.at, .parts = std::move(items)});
}

NodePtr Parser::parse_map() {
  const Token token = current_;
  next();
  std::vector<NodePtr> pairs;
  while (!current_.is_bracket("}")) {
    if (!pairs.empty()) {
      expect_operator(",");
      if (current_.is_bracket("}")) break;
      if (current_.is_operator(",")) unexpected();
    }
    NodePtr key = parse_map_key();
    expect_operator(":");
    NodePtr value = parse_expression(0);
    pairs.push_back(make(
        {.kind = NodeKind::kPair, .at = token.at, .parts = {std::move(key), std::move(value)}}));
  }
  expect_bracket("}");
  return make({.kind = NodeKind::kMap, .at = token.at, .parts = std::move(pairs)});
}

NodePtr Parser::parse_map_key() {
  const Token token = current_;
  if (token.is(TokenKind::kNumber) || token.is(TokenKind::kString) ||
      token.is(TokenKind::kIdentifier)) {
    NodePtr key = make({.kind = NodeKind::kString, .at = token.at, .text = token.value});
    next();
    return key;
  }
  if (token.is_bracket("(")) return parse_expression(0);
  fail(
      fmt::format("a map key must be a quoted string, a number, a identifier, or an expression "
                  "enclosed in parentheses (unexpected token {})",
                  token.text()));
}

}  // namespace slipway::lang::expr
