#pragma once

#include <string_view>
#include <vector>

#include "lang/expr/lexer.h"
#include "lang/expr/node.h"

namespace slipway::lang::expr {

// Reads a condition into a tree. Throws SourceFailure, at the first thing that is wrong.
NodePtr parse(std::string_view source);

// Private to lang/expr: parse() is all that others need.
class Parser {
 public:
  explicit Parser(std::string_view source);
  NodePtr run();

 private:
  [[noreturn]] void fail(std::string message) const { fail_at(current_, std::move(message)); }
  [[noreturn]] static void fail_at(const Token& token, std::string message);
  [[noreturn]] void unexpected() const { fail("unexpected token " + current_.text()); }
  NodePtr make(Node node);

  void next();
  void expect_operator(std::string_view text);
  void expect_bracket(std::string_view text);
  Token expect_identifier();

  NodePtr parse_sequence();
  NodePtr parse_expression(int precedence);
  // One binary operator and what follows it; false when the expression ends before it.
  bool parse_operator(NodePtr& left, int precedence, std::string& previous);
  NodePtr parse_comparison(NodePtr left, Token token, int precedence);
  NodePtr parse_variable();
  NodePtr parse_if();
  NodePtr parse_ternary(NodePtr node);
  NodePtr parse_primary();
  NodePtr parse_secondary();
  NodePtr parse_name();
  NodePtr parse_number();
  NodePtr parse_array();
  NodePtr parse_map();
  NodePtr parse_map_key();
  NodePtr parse_call(const Token& name, std::vector<NodePtr> arguments);
  NodePtr parse_predicate_call(const Token& name, std::vector<NodePtr> arguments);
  std::vector<NodePtr> parse_arguments(std::vector<NodePtr> arguments);
  NodePtr parse_predicate();
  NodePtr parse_postfix(NodePtr node);
  NodePtr parse_member(NodePtr node, bool optional);
  NodePtr parse_index(NodePtr node, const Token& bracket, bool optional);

  Lexer lexer_;
  Token current_;
  Token stashed_;
  bool has_stash_ = false;
  int predicates_ = 0;  // how many of them we are inside
  int nesting_ = 0;
  std::size_t nodes_ = 0;
};

}  // namespace slipway::lang::expr
