#pragma once

#include "lang/expr/budget.h"
#include "lang/expr/value.h"

// What operators do with values. All panic in Go's words on values they are not made for. Private
// to lang/expr.
namespace slipway::lang::expr {

bool equal(const Value& a, const Value& b, Budget& budget);
bool less(const Value& a, const Value& b);
bool more(const Value& a, const Value& b);
bool less_or_equal(const Value& a, const Value& b);
bool more_or_equal(const Value& a, const Value& b);

Value add(const Value& a, const Value& b, Budget& budget);
Value subtract(const Value& a, const Value& b);
Value multiply(const Value& a, const Value& b);
Value divide(const Value& a, const Value& b);
Value modulo(const Value& a, const Value& b);
Value exponent(const Value& a, const Value& b);
Value negate(const Value& value);

Value fetch(const Value& from, const Value& key);
Value slice(const Value& from, const Value& first, const Value& last, Budget& budget);
bool contained(const Value& needle, const Value& in, Budget& budget);
// Bytes of texts, entries of lists and maps.
std::int64_t length_of(const Value& value);
// What is_nil and a loop see of any value: its elements, or a panic in reflect's words.
std::int64_t loop_length(const Value& value);
Value loop_item(const Value& value, std::int64_t index);
// The entry of a map, or the zero value of its elements.
const Value* map_entry(const Value& map, const Value& key);

}  // namespace slipway::lang::expr
