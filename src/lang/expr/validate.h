#pragma once

#include "lang/expr/builtin.h"

// Which arguments the built-in functions take whose answer depends on them. Private to lang/expr.
namespace slipway::lang::expr {

using ArgumentTypes = std::span<const Type* const>;

const Type* validate_len(ArgumentTypes arguments);
const Type* validate_abs(ArgumentTypes arguments);
const Type* validate_ceil(ArgumentTypes arguments);
const Type* validate_floor(ArgumentTypes arguments);
const Type* validate_round(ArgumentTypes arguments);
const Type* validate_int(ArgumentTypes arguments);
const Type* validate_float(ArgumentTypes arguments);
const Type* validate_max(ArgumentTypes arguments);
const Type* validate_min(ArgumentTypes arguments);
const Type* validate_mean(ArgumentTypes arguments);
const Type* validate_median(ArgumentTypes arguments);
const Type* validate_now(ArgumentTypes arguments);
const Type* validate_date(ArgumentTypes arguments);
const Type* validate_first(ArgumentTypes arguments);
const Type* validate_last(ArgumentTypes arguments);
const Type* validate_take(ArgumentTypes arguments);
const Type* validate_keys(ArgumentTypes arguments);
const Type* validate_values(ArgumentTypes arguments);
const Type* validate_to_pairs(ArgumentTypes arguments);
const Type* validate_from_pairs(ArgumentTypes arguments);
const Type* validate_reverse(ArgumentTypes arguments);
const Type* validate_uniq(ArgumentTypes arguments);
const Type* validate_concat(ArgumentTypes arguments);
const Type* validate_flatten(ArgumentTypes arguments);

}  // namespace slipway::lang::expr
