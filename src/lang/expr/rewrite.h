#pragma once

#include "lang/expr/node.h"

// The rewritings of expr-lang's optimizer, each for one node whose parts are done. Private to
// lang/expr.
namespace slipway::lang::expr {

void rewrite_in_list(NodePtr& slot);          // x in ["a", "b"]: a set
void rewrite_in_range(NodePtr& slot);         // i in 1..9: i >= 1 and i <= 9
void rewrite_filter_map(NodePtr& slot);       // map(filter(x, p), f): one loop
void rewrite_filter_len(NodePtr& slot);       // len(filter(x, p)): count
void rewrite_filter_last(NodePtr& slot);      // filter(x, p)[-1], last(filter(x, p)): findLast
void rewrite_filter_first(NodePtr& slot);     // filter(x, p)[0], first(filter(x, p)): find
void rewrite_two_loops(NodePtr& slot);        // all(x, p) and all(x, q): one loop
void rewrite_sum_of_range(NodePtr& slot);     // sum(1..9), reduce(1..9, # + #acc): a number
void rewrite_sum_of_array(NodePtr& slot);     // sum([a, b]): a + b
void rewrite_sum_of_map(NodePtr& slot);       // sum(map(x, f)): sum(x, f)
void rewrite_count_any(NodePtr& slot);        // count(x, p) > 0: any
void rewrite_count_threshold(NodePtr& slot);  // count(x, p) > 3: stops at 4

}  // namespace slipway::lang::expr
