#include "lang/expr/optimizer.h"

#include <functional>

#include "lang/expr/operators.h"
#include "lang/expr/rewrite.h"

namespace slipway::lang::expr {

namespace {

constexpr int kMaxFoldPasses = 1001;

// Parts first, then the node itself.
template <class Visit>
void walk(NodePtr& slot, CompileWork& work, const Visit& visit) {
  if (!slot) return;
  work.step(slot->at);
  for (NodePtr& part : slot->parts) walk(part, work, visit);
  visit(slot);
}

}  // namespace

void replace_keeping_type(NodePtr& slot, NodePtr made) {
  made->nature = Nature::of(slot->type());
  made->at = slot->at;
  slot = std::move(made);
}

void replace_with_literal(NodePtr& slot, Node literal) {
  const Types& known = types();
  switch (literal.kind) {
    case NodeKind::kBool:
      literal.nature = Nature::of(known.boolean);
      break;
    case NodeKind::kInteger:
      literal.nature = Nature::of(known.integer);
      break;
    case NodeKind::kFloat:
      literal.nature = Nature::of(known.number);
      break;
    case NodeKind::kString:
      literal.nature = Nature::of(known.text);
      break;
    default:
      literal.nature = Nature::of(literal.constant.type());
  }
  literal.at = slot->at;
  slot = make_node(std::move(literal));
}

void optimize(NodePtr& root, CompileWork& work) {
  walk(root, work, rewrite_in_list);
  bool again = true;
  for (int pass = 0; pass < kMaxFoldPasses && again; ++pass) {
    again = false;
    walk(root, work, [&again](NodePtr& slot) { again = fold(slot) || again; });
  }
  for (const auto rewrite :
       {rewrite_in_range, rewrite_filter_map, rewrite_filter_len, rewrite_filter_last,
        rewrite_filter_first, rewrite_two_loops, rewrite_sum_of_range, rewrite_sum_of_array,
        rewrite_sum_of_map, rewrite_count_any, rewrite_count_threshold})
    walk(root, work, rewrite);
}

}  // namespace slipway::lang::expr
