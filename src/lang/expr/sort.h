#pragma once

#include <vector>

#include "lang/expr/budget.h"
#include "lang/expr/value.h"

namespace slipway::lang::expr {

// Puts `items` in the order of `keys`, one key an item; both may be the same vector. Equal ones
// stay in their order. Panics when two keys cannot be compared. Private to lang/expr.
void sort_values(std::vector<Value>& items, std::vector<Value>& keys, bool descending,
                 Budget& budget);

}  // namespace slipway::lang::expr
