#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lang/expr/failure.h"
#include "lang/expr/nature.h"
#include "lang/expr/value.h"

namespace slipway::lang::expr {

enum class NodeKind {
  kNil,
  kIdentifier,   // text
  kInteger,      // integer
  kFloat,        // number
  kBool,         // flag
  kString,       // text
  kBytes,        // text
  kConstant,     // constant
  kUnary,        // text; operand
  kBinary,       // text; left, right
  kChain,        // the member or call that ends it
  kMember,       // base, property
  kSlice,        // base, from or null, to or null
  kCall,         // callee, arguments…
  kBuiltin,      // text; arguments…
  kPredicate,    // body
  kPointer,      // text: "", "index" or "acc"
  kVariable,     // text; value, body
  kSequence,     // parts…
  kConditional,  // condition, then, else
  kArray,        // elements…
  kMap,          // pairs…
  kPair,         // key, value
};

struct Node;
// Shared because `a ?: b` and `a < b < c` use one operand twice.
using NodePtr = std::shared_ptr<Node>;

struct Node {
  NodeKind kind = NodeKind::kNil;
  Location at = {};
  std::string text = {};
  std::int64_t integer = 0;
  double number = 0;
  bool flag = false;    // of booleans; of members: reached by ?.
  bool method = false;  // of members: called
  bool throws = false;  // of find: nothing found is an error
  Value constant = {};
  std::vector<NodePtr> parts = {};
  NodePtr map = nullptr;  // of filter and find: what becomes of each element found
  std::optional<std::int64_t> threshold = std::nullopt;  // of count: enough
  Nature nature = {};
  int depth = 1;

  bool is(NodeKind wanted) const { return kind == wanted; }
  bool is(NodeKind wanted, std::string_view name) const { return kind == wanted && text == name; }
  const Type* type() const { return nature.type ? nature.type : types().any; }
};

// A node with its depth; throws SourceFailure when the tree gets deeper than kMaxTreeDepth.
NodePtr make_node(Node node);

// The same in all that matters to a reader: kinds, names, values, order.
bool same_tree(const Node& a, const Node& b);

}  // namespace slipway::lang::expr
