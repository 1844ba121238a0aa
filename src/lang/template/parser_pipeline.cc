#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/template/failure.h"
#include "lang/template/parser.h"
#include "lang/template/quote.h"

// Expressions, and the tokens they are made from.
namespace slipway::lang::go {
namespace {

NodePtr make(NodeKind kind, std::size_t at) {
  return std::make_unique<Node>(Node{.kind = kind, .at = at});
}

bool starts_operand(TokenKind kind) {
  switch (kind) {
    case TokenKind::kBool:
    case TokenKind::kCharConstant:
    case TokenKind::kComplex:
    case TokenKind::kDot:
    case TokenKind::kField:
    case TokenKind::kIdentifier:
    case TokenKind::kNumber:
    case TokenKind::kNil:
    case TokenKind::kRawString:
    case TokenKind::kString:
    case TokenKind::kVariable:
    case TokenKind::kLeftParen:
      return true;
    default:
      return false;
  }
}

bool is_literal(NodeKind kind) {
  return kind == NodeKind::kBool || kind == NodeKind::kString || kind == NodeKind::kNumber ||
         kind == NodeKind::kNil || kind == NodeKind::kDot;
}

}  // namespace

NodePtr Parser::pipeline(std::string_view context, Kind end) {
  NodePtr pipe = make(NodeKind::kPipe, peek_non_space().at);
  declarations(*pipe, context);
  for (;;) {
    const Token token = next_non_space();
    if (token.kind == end) {
      check_pipeline(*pipe, context);
      return pipe;
    }
    if (!starts_operand(token.kind)) unexpected(token, context);
    backup();
    pipe->children.push_back(command());
  }
}

// `$x :=`, `$x =`, and in a range `$i, $x :=`. A variable that none of these follows is an operand
// and goes back, with the space behind it.
void Parser::declarations(Node& pipe, std::string_view context) {
  while (peek_non_space().kind == Kind::kVariable) {
    Token declared = next();
    Token after = peek();
    const Token& following = peek_non_space();
    if (following.kind == Kind::kAssign || following.kind == Kind::kDeclare) {
      pipe.assigns = following.kind == Kind::kAssign;
      next_non_space();
      pipe.declares.push_back(declared.text);
      variables_.push_back(declared.text);
      return;
    }
    if (following.kind != Kind::kChar || following.text != ",") {
      if (after.kind == Kind::kSpace)
        backup3(std::move(declared), std::move(after));
      else
        backup2(std::move(declared));
      return;
    }
    next_non_space();
    pipe.declares.push_back(declared.text);
    variables_.push_back(declared.text);
    if (context != "range" || pipe.declares.size() >= 2)
      fail(fmt::format("too many declarations in {}", context));
    const Kind second = peek_non_space().kind;
    if (second != Kind::kVariable && second != Kind::kRightDelim && second != Kind::kRightParen)
      fail("range can only initialize variables");
  }
}

void Parser::check_pipeline(const Node& pipe, std::string_view context) {
  if (pipe.children.empty()) fail(fmt::format("missing value for {}", context));
  for (std::size_t i = 1; i < pipe.children.size(); ++i)
    if (is_literal(pipe.children[i]->children[0]->kind))
      fail(fmt::format("non executable command in pipeline stage {}", i + 1));
}

NodePtr Parser::command() {
  NodePtr node = make(NodeKind::kCommand, peek_non_space().at);
  for (;;) {
    peek_non_space();
    if (NodePtr word = operand()) node->children.push_back(std::move(word));
    const Token token = next();
    if (token.kind == Kind::kSpace) continue;
    if (token.kind == Kind::kRightDelim || token.kind == Kind::kRightParen)
      backup();
    else if (token.kind != Kind::kPipe)
      unexpected(token, "operand");
    break;
  }
  if (node->children.empty()) fail("empty command");
  return node;
}

NodePtr Parser::operand() {
  NodePtr node = term();
  if (!node || peek().kind != Kind::kField) return node;
  return chained(std::move(node));
}

// Fields behind a field or variable join it; behind anything else they make a chain.
NodePtr Parser::chained(NodePtr node) {
  const std::size_t at = peek().at;
  std::vector<std::string> names;
  while (peek().kind == Kind::kField) names.push_back(next().text.substr(1));
  if (is_literal(node->kind))
    fail(fmt::format("unexpected . after term {}", quote(to_text(*node))));
  if (node->kind == NodeKind::kField || node->kind == NodeKind::kVariable) {
    node->at = at;
    for (auto& name : names) node->names.push_back(std::move(name));
    return node;
  }
  NodePtr chain = make(NodeKind::kChain, at);
  chain->children.push_back(std::move(node));
  chain->names = std::move(names);
  return chain;
}

NodePtr Parser::term() {
  const Token token = next_non_space();
  NodePtr node;
  switch (token.kind) {
    case Kind::kIdentifier:
      if (!context_.has_function(token.text))
        fail(fmt::format("function {} not defined", quote(token.text)));
      node = make(NodeKind::kIdentifier, token.at);
      node->text = token.text;
      return node;
    case Kind::kDot:
      return make(NodeKind::kDot, token.at);
    case Kind::kNil:
      return make(NodeKind::kNil, token.at);
    case Kind::kVariable:
      return variable(token);
    case Kind::kField:
      node = make(NodeKind::kField, token.at);
      node->names.push_back(token.text.substr(1));
      return node;
    case Kind::kBool:
      node = make(NodeKind::kBool, token.at);
      node->truth = token.text == "true";
      return node;
    case Kind::kCharConstant:
    case Kind::kComplex:
    case Kind::kNumber:
      return number(token);
    case Kind::kLeftParen:
      if (context_.nesting >= kMaxNesting) fail("max expression depth exceeded");
      ++context_.nesting;
      node = pipeline("parenthesized pipeline", Kind::kRightParen);
      --context_.nesting;
      return node;
    case Kind::kString:
    case Kind::kRawString:
      return string(token);
    default:
      backup();
      return nullptr;
  }
}

NodePtr Parser::number(const Token& token) {
  const auto syntax = token.kind == Kind::kCharConstant ? NumberSyntax::kChar
                      : token.kind == Kind::kComplex    ? NumberSyntax::kComplex
                                                        : NumberSyntax::kPlain;
  auto constant = parse_number(token.text, syntax);
  if (!constant) fail(constant.error());
  NodePtr node = make(NodeKind::kNumber, token.at);
  node->text = token.text;
  node->constant = *constant;
  return node;
}

NodePtr Parser::string(const Token& token) {
  auto text = unquote(token.text);
  if (!text) fail("invalid syntax");
  NodePtr node = make(NodeKind::kString, token.at);
  node->quoted = token.text;
  node->text = std::move(*text);
  return node;
}

NodePtr Parser::variable(const Token& token) {
  if (std::ranges::find(variables_, token.text) == variables_.end())
    fail(fmt::format("undefined variable {}", quote(token.text)));
  NodePtr node = make(NodeKind::kVariable, token.at);
  node->names.push_back(token.text);
  return node;
}

Token Parser::next() {
  if (ahead_ > 0)
    --ahead_;
  else
    tokens_[0] = context_.lexer.next();
  return tokens_[ahead_];
}

const Token& Parser::peek() {
  if (ahead_ > 0) return tokens_[ahead_ - 1];
  ahead_ = 1;
  tokens_[0] = context_.lexer.next();
  return tokens_[0];
}

void Parser::backup2(Token first) {
  tokens_[1] = std::move(first);
  ahead_ = 2;
}

void Parser::backup3(Token first, Token second) {
  tokens_[1] = std::move(second);
  tokens_[2] = std::move(first);
  ahead_ = 3;
}

Token Parser::next_non_space() {
  Token token = next();
  while (token.kind == Kind::kSpace) token = next();
  return token;
}

const Token& Parser::peek_non_space() {
  next_non_space();
  backup();
  return peek();
}

Token Parser::expect(Kind kind, std::string_view context) {
  Token token = next_non_space();
  if (token.kind != kind) unexpected(token, context);
  return token;
}

void Parser::fail(std::string message) const {
  throw Failure{fmt::format("template: {}:{}: {}", context_.name, tokens_[0].line, message)};
}

void Parser::unexpected(const Token& token, std::string_view context) const {
  if (token.kind != Kind::kError)
    fail(fmt::format("unexpected {} in {}", describe(token), context));
  std::string where;
  if (action_line_ != 0 && action_line_ != token.line) {
    // "unclosed action in action started at" would say it twice.
    where = fmt::format("{} started at {}:{}", token.text.ends_with(" action") ? "" : " in action",
                        context_.name, action_line_);
  }
  fail(token.text + where);
}

}  // namespace slipway::lang::go
