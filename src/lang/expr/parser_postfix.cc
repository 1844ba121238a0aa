#include <fmt/format.h>

#include <array>
#include <span>

#include "lang/expr/builtin.h"
#include "lang/expr/parser.h"

// What stands behind an expression, and calls: members, indexes, slices, arguments, predicates.
namespace slipway::lang::expr {

namespace {

enum class Argument { kExpression, kPredicate, kOptionalPredicate, kOptionalExpression };

std::span<const Argument> arguments_of(std::string_view name) {
  using enum Argument;
  static constexpr std::array kWithPredicate = {kExpression, kPredicate};
  static constexpr std::array kMaybePredicate = {kExpression, kOptionalPredicate};
  static constexpr std::array kWithMore = {kExpression, kPredicate, kOptionalExpression};
  if (name == "count" || name == "sum") return kMaybePredicate;
  if (name == "sortBy" || name == "reduce") return kWithMore;
  return kWithPredicate;
}

}  // namespace

NodePtr Parser::parse_call(const Token& name, std::vector<NodePtr> arguments) {
  const Builtin* builtin = find_builtin(name.value);
  if (builtin && builtin->predicate) return parse_predicate_call(name, std::move(arguments));
  if (builtin) {
    auto parts = parse_arguments(std::move(arguments));
    return make(
        {.kind = NodeKind::kBuiltin, .at = name.at, .text = name.value, .parts = std::move(parts)});
  }
  NodePtr callee = make({.kind = NodeKind::kIdentifier, .at = name.at, .text = name.value});
  auto parts = parse_arguments(std::move(arguments));
  parts.insert(parts.begin(), std::move(callee));
  return make({.kind = NodeKind::kCall, .at = name.at, .parts = std::move(parts)});
}

NodePtr Parser::parse_predicate_call(const Token& name, std::vector<NodePtr> arguments) {
  expect_bracket("(");
  const auto wanted = arguments_of(name.value).subspan(arguments.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool optional =
        wanted[i] == Argument::kOptionalPredicate || wanted[i] == Argument::kOptionalExpression;
    if (current_.is_bracket(")")) {
      if (optional) break;
      fail(fmt::format("expected at least {} arguments", wanted.size()));
    }
    if (i > 0) expect_operator(",");
    const bool expression =
        wanted[i] == Argument::kExpression || wanted[i] == Argument::kOptionalExpression;
    arguments.push_back(expression ? parse_expression(0) : parse_predicate());
  }
  if (current_.is_operator(",")) next();
  expect_bracket(")");
  return make({.kind = NodeKind::kBuiltin,
               .at = name.at,
               .text = name.value,
               .parts = std::move(arguments)});
}

std::vector<NodePtr> Parser::parse_arguments(std::vector<NodePtr> arguments) {
  const std::size_t piped = arguments.size();
  expect_bracket("(");
  while (!current_.is_bracket(")")) {
    if (arguments.size() > piped) expect_operator(",");
    if (current_.is_bracket(")")) break;
    arguments.push_back(parse_expression(0));
  }
  expect_bracket(")");
  return arguments;
}

NodePtr Parser::parse_predicate() {
  const Token start = current_;
  const bool braces = current_.is_bracket("{");
  if (braces) next();
  ++predicates_;
  NodePtr body = braces ? parse_sequence() : parse_expression(0);
  if (!braces && current_.is_operator(";")) fail("wrap predicate with brackets { and }");
  --predicates_;
  if (braces) expect_bracket("}");
  return make({.kind = NodeKind::kPredicate, .at = start.at, .parts = {std::move(body)}});
}

NodePtr Parser::parse_postfix(NodePtr node) {
  while (true) {
    const bool optional = current_.is_operator("?.");
    if (optional || current_.is_operator(".")) {
      next();
      if (optional && current_.is_bracket("["))
        node = parse_index(std::move(node), current_, true);
      else
        node = parse_member(std::move(node), optional);
    } else if (current_.is_bracket("[")) {
      node = parse_index(std::move(node), current_, false);
    } else {
      return node;
    }
  }
}

NodePtr Parser::parse_member(NodePtr node, bool optional) {
  const Token property = current_;
  next();
  // Words like `not` and `matches` are good names for members.
  if (!property.is(TokenKind::kIdentifier) &&
      !(property.is(TokenKind::kOperator) && is_identifier(property.value)))
    fail("expected name");
  NodePtr name = make({.kind = NodeKind::kString, .at = property.at, .text = property.value});
  const bool chain = node->is(NodeKind::kChain);
  if (chain) node = node->parts[0];
  NodePtr member = make({.kind = NodeKind::kMember,
                         .at = property.at,
                         .flag = optional,
                         .parts = {std::move(node), std::move(name)}});
  node = member;
  if (current_.is_bracket("(")) {
    member->method = true;
    auto parts = parse_arguments({});
    parts.insert(parts.begin(), std::move(member));
    node = make({.kind = NodeKind::kCall, .at = property.at, .parts = std::move(parts)});
  }
  if (chain || optional)
    node = make({.kind = NodeKind::kChain, .at = property.at, .parts = {std::move(node)}});
  return node;
}

NodePtr Parser::parse_index(NodePtr node, const Token& bracket, bool optional) {
  const Location at = bracket.at;
  next();
  NodePtr from;
  if (!current_.is_operator(":")) from = parse_expression(0);
  if (current_.is_operator(":")) {
    next();
    NodePtr to;
    if (!current_.is_bracket("]")) to = parse_expression(0);
    node = make({.kind = NodeKind::kSlice,
                 .at = at,
                 .parts = {std::move(node), std::move(from), std::move(to)}});
  } else {
    node = make({.kind = NodeKind::kMember,
                 .at = at,
                 .flag = optional,
                 .parts = {std::move(node), std::move(from)}});
    if (optional) node = make({.kind = NodeKind::kChain, .at = at, .parts = {std::move(node)}});
  }
  expect_bracket("]");
  return node;
}

}  // namespace slipway::lang::expr
