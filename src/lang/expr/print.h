#pragma once

#include <string>

#include "lang/expr/budget.h"
#include "lang/expr/value.h"

// Values as texts. Private to lang/expr.
namespace slipway::lang::expr {

// fmt's %v: "[1 2]", "map[a:1]", "<nil>".
std::string print(const Value& value);

// json.MarshalIndent with two blanks. Panics on what has no JSON: NaN, functions, maps whose keys
// are no texts.
std::string print_json(const Value& value, Budget& budget);

// json.Unmarshal into any; numbers are floats. Panics in its words.
Value parse_json(const std::string& text);

}  // namespace slipway::lang::expr
