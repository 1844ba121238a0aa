#include "lang/expr/node.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/expr/limits.h"
#include "lang/expr/print.h"

namespace slipway::lang::expr {

NodePtr make_node(Node node) {
  for (const NodePtr& part : node.parts)
    if (part) node.depth = std::max(node.depth, part->depth + 1);
  if (node.depth > kMaxTreeDepth)
    throw SourceFailure{fmt::format("the condition is nested deeper than {}", kMaxTreeDepth),
                        node.at};
  return std::make_shared<Node>(std::move(node));
}

bool same_tree(const Node& a, const Node& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.text != b.text || a.integer != b.integer || a.flag != b.flag ||
      a.parts.size() != b.parts.size() || a.depth != b.depth)
    return false;
  if (a.is(NodeKind::kFloat) && a.number != b.number) return false;
  if (a.is(NodeKind::kConstant) && print(a.constant) != print(b.constant)) return false;
  return std::ranges::equal(a.parts, b.parts, [](const NodePtr& left, const NodePtr& right) {
    return left == right || (left && right && same_tree(*left, *right));
  });
}

}  // namespace slipway::lang::expr
