#include "lang/template/parser.h"

#include <fmt/format.h>

#include <utility>

#include "lang/template/failure.h"
#include "lang/template/quote.h"

namespace slipway::lang::go {
namespace {

NodePtr make(NodeKind kind, std::size_t at) {
  return std::make_unique<Node>(Node{.kind = kind, .at = at});
}

// Counts how deep the parser is while it lives.
class Nested {
 public:
  Nested(int& depth, const std::string& name, int line) : depth_(depth) {
    if (depth_ >= kMaxNesting)
      throw LimitReached{
          fmt::format("template: {}:{}: nested over {} levels", name, line, kMaxNesting)};
    ++depth_;
  }
  ~Nested() { --depth_; }
  Nested(const Nested&) = delete;

 private:
  int& depth_;
};

}  // namespace

Trees parse_trees(const std::string& name, std::string_view text,
                  const std::function<bool(std::string_view)>& has_function) {
  Trees trees;
  Lexer lexer(text, {.break_is_keyword = !has_function("break"),
                     .continue_is_keyword = !has_function("continue")});
  Parser::Context context{
      .name = name, .lexer = lexer, .trees = trees, .has_function = has_function};
  Parser(context, name).parse_whole();
  return trees;
}

void Parser::parse_whole() {
  NodePtr root = make(NodeKind::kList, peek().at);
  while (peek().kind != Kind::kEnd) {
    if (peek().kind == Kind::kLeftDelim) {
      Token delim = next();
      if (next_non_space().kind == Kind::kDefine) {
        Parser(context_, "definition").parse_definition();
        continue;
      }
      backup2(std::move(delim));
    }
    NodePtr node = text_or_action();
    if (node->kind == NodeKind::kEnd || node->kind == NodeKind::kElse)
      fail("unexpected " + to_text(*node));
    root->children.push_back(std::move(node));
  }
  add(std::move(root));
}

void Parser::parse_definition() {
  const Token token = next_non_space();
  if (token.kind != Kind::kString && token.kind != Kind::kRawString)
    unexpected(token, "define clause");
  const auto name = unquote(token.text);
  if (!name) fail("invalid syntax");
  name_ = *name;
  expect(Kind::kRightDelim, "define clause");
  ItemList body = item_list();
  if (body.end->kind != NodeKind::kEnd)
    fail(fmt::format("unexpected {} in define clause", to_text(*body.end)));
  add(std::move(body.list));
}

void Parser::add(NodePtr root) {
  const auto known = context_.trees.find(name_);
  if (known == context_.trees.end() || is_empty(*known->second.root)) {
    context_.trees.insert_or_assign(name_, Tree{.name = name_, .root = std::move(root)});
    return;
  }
  if (!is_empty(*root))
    fail(fmt::format("template: multiple definition of template {}", quote(name_)));
}

Parser::ItemList Parser::item_list() {
  ItemList out{.list = make(NodeKind::kList, peek_non_space().at), .end = {}};
  while (peek_non_space().kind != Kind::kEnd) {
    NodePtr node = text_or_action();
    if (node->kind == NodeKind::kEnd || node->kind == NodeKind::kElse) {
      out.end = std::move(node);
      return out;
    }
    out.list->children.push_back(std::move(node));
  }
  fail("unexpected EOF");
}

NodePtr Parser::text_or_action() {
  Token token = next_non_space();
  if (token.kind == Kind::kText) {
    NodePtr node = make(NodeKind::kText, token.at);
    node->text = std::move(token.text);
    return node;
  }
  if (token.kind != Kind::kLeftDelim) unexpected(token, "input");
  action_line_ = token.line;
  NodePtr node = action();
  action_line_ = 0;
  return node;
}

NodePtr Parser::action() {
  const Token token = next_non_space();
  switch (token.kind) {
    case Kind::kBlock:
      return block();
    case Kind::kBreak:
    case Kind::kContinue:
      return loop_control(token.kind, token.at);
    case Kind::kElse:
      return else_keyword();
    case Kind::kEndKeyword:
      return make(NodeKind::kEnd, expect(Kind::kRightDelim, "end").at);
    case Kind::kIf:
      return control(NodeKind::kIf, "if");
    case Kind::kRange:
      return control(NodeKind::kRange, "range");
    case Kind::kTemplate:
      return template_call();
    case Kind::kWith:
      return control(NodeKind::kWith, "with");
    default:
      break;
  }
  backup();
  NodePtr node = make(NodeKind::kAction, peek().at);
  node->pipe = pipeline("command", Kind::kRightDelim);
  return node;
}

NodePtr Parser::control(NodeKind kind, std::string_view context) {
  const Nested nested(context_.nesting, context_.name, tokens_[0].line);
  const std::size_t scope = variables_.size();
  NodePtr pipe = pipeline(context, Kind::kRightDelim);
  ranges_ += kind == NodeKind::kRange;
  ItemList body = item_list();
  ranges_ -= kind == NodeKind::kRange;
  NodePtr node = make(kind, pipe->at);
  if (body.end->kind == NodeKind::kElse) node->else_list = else_part(context, *body.end, kind);
  node->pipe = std::move(pipe);
  node->list = std::move(body.list);
  variables_.resize(scope);
  return node;
}

// {{else if b}} and {{else with b}} are {{else}}{{if b}} that share one {{end}}.
NodePtr Parser::else_part(std::string_view context, const Node& opened, NodeKind kind) {
  const Kind again = peek().kind;
  if ((kind == NodeKind::kIf && again == Kind::kIf) ||
      (kind == NodeKind::kWith && again == Kind::kWith)) {
    next();
    NodePtr list = make(NodeKind::kList, opened.at);
    list->children.push_back(control(kind, context));
    return list;
  }
  ItemList body = item_list();
  if (body.end->kind != NodeKind::kEnd) fail("expected end; found " + to_text(*body.end));
  return std::move(body.list);
}

NodePtr Parser::loop_control(Kind keyword, std::size_t at) {
  const bool breaks = keyword == Kind::kBreak;
  const std::string_view shown = breaks ? "{{break}}" : "{{continue}}";
  if (const Token token = next_non_space(); token.kind != Kind::kRightDelim)
    unexpected(token, shown);
  if (ranges_ == 0) fail(fmt::format("{} outside {{{{range}}}}", shown));
  return make(breaks ? NodeKind::kBreak : NodeKind::kContinue, at);
}

NodePtr Parser::else_keyword() {
  const Token& following = peek_non_space();
  if (following.kind == Kind::kIf || following.kind == Kind::kWith)
    return make(NodeKind::kElse, following.at);
  return make(NodeKind::kElse, expect(Kind::kRightDelim, "else").at);
}

NodePtr Parser::block() {
  const Nested nested(context_.nesting, context_.name, tokens_[0].line);
  const Token token = next_non_space();
  NodePtr node = make(NodeKind::kTemplate, token.at);
  node->text = template_name(token, "block clause");
  node->pipe = pipeline("block clause", Kind::kRightDelim);
  Parser inner(context_, node->text);
  ItemList body = inner.item_list();
  if (body.end->kind != NodeKind::kEnd)
    fail(fmt::format("unexpected {} in block clause", to_text(*body.end)));
  inner.add(std::move(body.list));
  return node;
}

NodePtr Parser::template_call() {
  const Token token = next_non_space();
  NodePtr node = make(NodeKind::kTemplate, token.at);
  node->text = template_name(token, "template clause");
  if (next_non_space().kind != Kind::kRightDelim) {
    backup();
    node->pipe = pipeline("template clause", Kind::kRightDelim);
  }
  return node;
}

std::string Parser::template_name(const Token& token, std::string_view context) {
  if (token.kind != Kind::kString && token.kind != Kind::kRawString) unexpected(token, context);
  auto name = unquote(token.text);
  if (!name) fail("invalid syntax");
  return std::move(*name);
}

}  // namespace slipway::lang::go
