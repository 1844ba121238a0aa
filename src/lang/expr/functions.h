#pragma once

#include "lang/expr/builtin.h"

// What the built-in functions do. Private to lang/expr.
namespace slipway::lang::expr::functions {

// functions_number.cc
Value len(Arguments arguments, Budget& budget);
Value type(Arguments arguments, Budget& budget);
Value abs(Arguments arguments, Budget& budget);
Value ceil(Arguments arguments, Budget& budget);
Value floor(Arguments arguments, Budget& budget);
Value round(Arguments arguments, Budget& budget);
Value to_int(Arguments arguments, Budget& budget);
Value to_float(Arguments arguments, Budget& budget);
Value bitand_(Arguments arguments, Budget& budget);
Value bitor_(Arguments arguments, Budget& budget);
Value bitxor(Arguments arguments, Budget& budget);
Value bitnand(Arguments arguments, Budget& budget);
Value bitshl(Arguments arguments, Budget& budget);
Value bitshr(Arguments arguments, Budget& budget);
Value bitushr(Arguments arguments, Budget& budget);
Value bitnot(Arguments arguments, Budget& budget);

// functions_aggregate.cc
Value max(Arguments arguments, Budget& budget);
Value min(Arguments arguments, Budget& budget);
Value mean(Arguments arguments, Budget& budget);
Value median(Arguments arguments, Budget& budget);

// functions_text.cc
Value to_string(Arguments arguments, Budget& budget);
Value trim(Arguments arguments, Budget& budget);
Value trim_prefix(Arguments arguments, Budget& budget);
Value trim_suffix(Arguments arguments, Budget& budget);
Value upper(Arguments arguments, Budget& budget);
Value lower(Arguments arguments, Budget& budget);
Value split(Arguments arguments, Budget& budget);
Value split_after(Arguments arguments, Budget& budget);
Value replace(Arguments arguments, Budget& budget);
Value repeat(Arguments arguments, Budget& budget);
Value join(Arguments arguments, Budget& budget);
Value index_of(Arguments arguments, Budget& budget);
Value last_index_of(Arguments arguments, Budget& budget);
Value has_prefix(Arguments arguments, Budget& budget);
Value has_suffix(Arguments arguments, Budget& budget);

// functions_codec.cc
Value to_json(Arguments arguments, Budget& budget);
Value from_json(Arguments arguments, Budget& budget);
Value to_base64(Arguments arguments, Budget& budget);
Value from_base64(Arguments arguments, Budget& budget);

// functions_time.cc
Value now(Arguments arguments, Budget& budget);
Value duration(Arguments arguments, Budget& budget);
Value date(Arguments arguments, Budget& budget);
Value timezone(Arguments arguments, Budget& budget);

// functions_list.cc, functions_map.cc
Value first(Arguments arguments, Budget& budget);
Value last(Arguments arguments, Budget& budget);
Value get(Arguments arguments, Budget& budget);
Value take(Arguments arguments, Budget& budget);
Value keys(Arguments arguments, Budget& budget);
Value values(Arguments arguments, Budget& budget);
Value to_pairs(Arguments arguments, Budget& budget);
Value from_pairs(Arguments arguments, Budget& budget);
Value reverse(Arguments arguments, Budget& budget);
Value uniq(Arguments arguments, Budget& budget);
Value concat(Arguments arguments, Budget& budget);
Value flatten(Arguments arguments, Budget& budget);
Value sort(Arguments arguments, Budget& budget);

}  // namespace slipway::lang::expr::functions
