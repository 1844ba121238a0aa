#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "lang/template/lexer.h"
#include "lang/template/node.h"

// Tokens into trees. Private to lang/template.
namespace slipway::lang::go {

// Parentheses, branches and else-ifs within each other.
inline constexpr int kMaxNesting = 250;

using Trees = std::map<std::string, Tree, std::less<>>;

// Every template that `text` defines, itself under `name`. Throws Failure with Go's error text.
Trees parse_trees(const std::string& name, std::string_view text,
                  const std::function<bool(std::string_view)>& has_function);

// Parses one tree. {{define}} and {{block}} start another parser on the same lexer.
class Parser {
 public:
  struct Context {
    std::string name;  // of the whole, for errors
    Lexer& lexer;
    Trees& trees;
    const std::function<bool(std::string_view)>& has_function;
    int nesting = 0;
  };

  Parser(Context& context, std::string name) : context_(context), name_(std::move(name)) {}

  void parse_whole();

 private:
  using Kind = TokenKind;
  struct ItemList {
    NodePtr list;
    NodePtr end;  // what closed it
  };

  void parse_definition();
  void add(NodePtr root);
  ItemList item_list();
  NodePtr text_or_action();
  NodePtr action();
  NodePtr control(NodeKind kind, std::string_view context);
  NodePtr else_part(std::string_view context, const Node& opened, NodeKind kind);
  NodePtr loop_control(Kind keyword, std::size_t at);
  NodePtr else_keyword();
  NodePtr block();
  NodePtr template_call();
  std::string template_name(const Token& token, std::string_view context);

  NodePtr pipeline(std::string_view context, Kind end);
  void declarations(Node& pipe, std::string_view context);
  void check_pipeline(const Node& pipe, std::string_view context);
  NodePtr command();
  NodePtr operand();  // null when none follows
  NodePtr term();
  NodePtr number(const Token& token);
  NodePtr string(const Token& token);
  NodePtr variable(const Token& token);
  NodePtr chained(NodePtr term);

  // Go looks up to three tokens ahead; positions in errors depend on how far it looked.
  Token next();
  const Token& peek();
  void backup() { ++ahead_; }
  void backup2(Token first);
  void backup3(Token first, Token second);
  Token next_non_space();
  const Token& peek_non_space();
  Token expect(Kind kind, std::string_view context);

  [[noreturn]] void fail(std::string message) const;
  [[noreturn]] void unexpected(const Token& token, std::string_view context) const;

  Context& context_;
  std::string name_;
  Token tokens_[3];
  int ahead_ = 0;
  std::vector<std::string> variables_ = {"$"};
  int action_line_ = 0;
  int ranges_ = 0;
};

}  // namespace slipway::lang::go
