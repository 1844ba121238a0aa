#include "lang/expr/parser.h"

#include <fmt/format.h>

#include "lang/expr/limits.h"
#include "lang/expr/operators.h"

namespace slipway::lang::expr {

namespace {

struct Entry {
  std::string_view text;
  Precedence precedence;
};

constexpr Entry kUnary[] = {{"not", {50}}, {"!", {50}}, {"-", {90}}, {"+", {90}}};

constexpr Entry kBinary[] = {
    {"|", {0}},         {"or", {10}}, {"||", {10}},        {"and", {15}},      {"&&", {15}},
    {"==", {20}},       {"!=", {20}}, {"<", {20}},         {">", {20}},        {">=", {20}},
    {"<=", {20}},       {"in", {20}}, {"matches", {20}},   {"contains", {20}}, {"startsWith", {20}},
    {"endsWith", {20}}, {"..", {25}}, {"+", {30}},         {"-", {30}},        {"*", {60}},
    {"/", {60}},        {"%", {60}},  {"**", {100, true}}, {"^", {100, true}}, {"??", {500}}};

template <std::size_t N>
std::optional<Precedence> find(const Entry (&entries)[N], std::string_view text) {
  for (const Entry& entry : entries)
    if (entry.text == text) return entry.precedence;
  return std::nullopt;
}

// Counts one more level of recursion while it lives.
class Nesting {
 public:
  Nesting(int& depth, Location at) : depth_(depth) {
    if (depth >= kMaxTreeDepth)
      throw SourceFailure{fmt::format("the condition is nested deeper than {}", kMaxTreeDepth), at};
    ++depth_;
  }
  ~Nesting() { --depth_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  int& depth_;
};

}  // namespace

std::optional<Precedence> unary_operator(std::string_view text) { return find(kUnary, text); }
std::optional<Precedence> binary_operator(std::string_view text) { return find(kBinary, text); }

bool is_comparison(std::string_view text) {
  return text == "<" || text == ">" || text == ">=" || text == "<=";
}

bool may_be_negated(std::string_view text) {
  return text == "contains" || text == "matches" || text == "startsWith" || text == "endsWith" ||
         text == "in";
}

bool is_and(std::string_view text) { return text == "and" || text == "&&"; }
bool is_or(std::string_view text) { return text == "or" || text == "||"; }

NodePtr parse(std::string_view source) { return Parser(source).run(); }

Parser::Parser(std::string_view source) : lexer_(source) {}

NodePtr Parser::run() {
  current_ = lexer_.next();
  NodePtr node = parse_sequence();
  if (!current_.is(TokenKind::kEnd)) unexpected();
  return node;
}

void Parser::fail_at(const Token& token, std::string message) {
  throw SourceFailure{std::move(message), token.at};
}

NodePtr Parser::make(Node node) {
  if (++nodes_ > kMaxNodes) fail("compilation failed: expression exceeds maximum allowed nodes");
  return make_node(std::move(node));
}

void Parser::next() {
  if (has_stash_) {
    current_ = stashed_;
    has_stash_ = false;
    return;
  }
  if (current_.is(TokenKind::kEnd)) fail("unexpected end of expression");
  current_ = lexer_.next();
}

void Parser::expect_operator(std::string_view text) {
  if (!current_.is_operator(text)) unexpected();
  next();
}

void Parser::expect_bracket(std::string_view text) {
  if (!current_.is_bracket(text)) unexpected();
  next();
}

Token Parser::expect_identifier() {
  if (!current_.is(TokenKind::kIdentifier)) unexpected();
  Token name = current_;
  next();
  return name;
}

NodePtr Parser::parse_sequence() {
  std::vector<NodePtr> parts = {parse_expression(0)};
  while (current_.is_operator(";")) {
    next();
    if (current_.is(TokenKind::kEnd)) break;
    parts.push_back(parse_expression(0));
  }
  if (parts.size() == 1) return parts[0];
  const Location at = parts[0]->at;
  return make({.kind = NodeKind::kSequence, .at = at, .parts = std::move(parts)});
}

NodePtr Parser::parse_expression(int precedence) {
  const Nesting nesting(nesting_, current_.at);
  if (precedence == 0 && current_.is_operator("let")) return parse_variable();
  if (precedence == 0 && current_.is_operator("if")) return parse_if();
  NodePtr left = parse_primary();
  std::string previous;
  while (current_.is(TokenKind::kOperator) && parse_operator(left, precedence, previous)) {
  }
  return precedence == 0 ? parse_ternary(std::move(left)) : left;
}

bool Parser::parse_operator(NodePtr& left, int precedence, std::string& previous) {
  Token token = current_;
  const bool negate = token.is_operator("not");
  if (negate) {
    next();
    if (!may_be_negated(current_.value)) unexpected();
    if (binary_operator(current_.value)->level < precedence) {
      has_stash_ = true;
      stashed_ = std::exchange(current_, token);
      return false;
    }
    token = current_;
  }
  const auto found = binary_operator(token.value);
  if (!found || found->level < precedence) return false;
  next();
  if (token.value == "|") {
    const Token name = expect_identifier();
    left = parse_call(name, {std::move(left)});
  } else {
    if (previous == "??" && token.value != "??")
      fail_at(token, fmt::format("Operator ({}) and coalesce expressions (?\?) cannot be mixed. "
                                 "Wrap either by parentheses.",
                                 token.value));
    if (is_comparison(token.value)) {
      left = parse_comparison(std::move(left), token, found->level);
    } else {
      NodePtr right = parse_expression(found->right ? found->level : found->level + 1);
      left = make({.kind = NodeKind::kBinary,
                   .at = token.at,
                   .text = token.value,
                   .parts = {std::move(left), std::move(right)}});
      if (negate)
        left = make({.kind = NodeKind::kUnary, .at = token.at, .text = "not", .parts = {left}});
    }
  }
  previous = token.value;
  return true;
}

// a < b < c is a < b && b < c.
NodePtr Parser::parse_comparison(NodePtr left, Token token, int precedence) {
  NodePtr root;
  while (true) {
    NodePtr right = parse_expression(precedence + 1);
    NodePtr compared = make(
        {.kind = NodeKind::kBinary, .at = token.at, .text = token.value, .parts = {left, right}});
    root = root ? make({.kind = NodeKind::kBinary,
                        .at = token.at,
                        .text = "&&",
                        .parts = {root, compared}})
                : compared;
    left = right;
    token = current_;
    if (!token.is(TokenKind::kOperator) || !is_comparison(token.value)) return root;
    next();
  }
}

NodePtr Parser::parse_variable() {
  expect_operator("let");
  const Token name = expect_identifier();
  expect_operator("=");
  NodePtr value = parse_expression(0);
  expect_operator(";");
  NodePtr body = parse_sequence();
  return make({.kind = NodeKind::kVariable,
               .at = name.at,
               .text = name.value,
               .parts = {std::move(value), std::move(body)}});
}

NodePtr Parser::parse_if() {
  const Nesting nesting(nesting_, current_.at);
  next();
  NodePtr condition = parse_expression(0);
  expect_bracket("{");
  NodePtr then = parse_sequence();
  expect_bracket("}");
  expect_operator("else");
  NodePtr otherwise;
  if (current_.is_operator("if")) {
    otherwise = parse_if();
  } else {
    expect_bracket("{");
    otherwise = parse_sequence();
    expect_bracket("}");
  }
  return make_node({.kind = NodeKind::kConditional,
                    .parts = {std::move(condition), std::move(then), std::move(otherwise)}});
}

NodePtr Parser::parse_ternary(NodePtr node) {
  while (current_.is_operator("?")) {
    next();
    NodePtr then = node;
    if (current_.is_operator(":")) {
      next();
    } else {
      then = parse_expression(0);
      expect_operator(":");
    }
    NodePtr otherwise = parse_expression(0);
    node = make({.kind = NodeKind::kConditional,
                 .at = current_.at,
                 .parts = {std::move(node), std::move(then), std::move(otherwise)}});
  }
  return node;
}

}  // namespace slipway::lang::expr
