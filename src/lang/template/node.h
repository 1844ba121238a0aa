#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lang/template/number.h"

// The tree of a parsed template. Private to lang/template.
namespace slipway::lang::go {

enum class NodeKind {
  // What a list holds.
  kText,      // text
  kAction,    // pipe
  kIf,        // pipe, list, else_list
  kWith,      // pipe, list, else_list
  kRange,     // pipe, list, else_list
  kTemplate,  // text is the name; pipe may be null
  kBreak,
  kContinue,
  kList,  // children
  // Expressions.
  kPipe,        // declares, assigns; children are commands
  kCommand,     // children are its words
  kIdentifier,  // text is the function's name
  kVariable,    // names: $x, then fields
  kField,       // names
  kChain,       // children[0], then names
  kDot,
  kNil,
  kBool,    // truth
  kNumber,  // text as written; constant
  kString,  // quoted as written; text
  // Seen by the parser only.
  kEnd,
  kElse,
};

struct Node;
using NodePtr = std::unique_ptr<Node>;

struct Node {
  NodeKind kind;
  std::size_t at;  // bytes from the start of the template
  std::string text = {};
  std::string quoted = {};
  std::vector<std::string> names = {};
  std::vector<std::string> declares = {};  // variables, with their $
  bool assigns = false;                    // to variables that exist: = and not :=
  bool truth = false;
  Constant constant = {};
  std::vector<NodePtr> children = {};
  NodePtr pipe = {};
  NodePtr list = {};
  NodePtr else_list = {};
};

// The node as it would be written: what Go shows between < and > in errors.
std::string to_text(const Node& node);

// Nothing but space.
bool is_empty(const Node& list);

// One of the templates that a text defines, by {{define}}, {{block}} or as a whole.
struct Tree {
  std::string name;
  NodePtr root = {};
};

}  // namespace slipway::lang::go
