#pragma once

#include "lang/expr/node.h"
#include "lang/expr/work.h"

namespace slipway::lang::expr {

// Rewrites a checked tree as expr-lang does. Not for speed: what is folded away is never run, so
// whether a condition fails depends on it. Throws SourceFailure.
void optimize(NodePtr& root, CompileWork& work);

// Private to lang/expr: one pass of constant folding over one node, its parts being done. True when
// something changed.
bool fold(NodePtr& slot);

// Puts `made` in the place of `slot`, at the same location. The first keeps the type that the old
// node had, the second has the type of the literal.
void replace_keeping_type(NodePtr& slot, NodePtr made);
void replace_with_literal(NodePtr& slot, Node literal);

}  // namespace slipway::lang::expr
