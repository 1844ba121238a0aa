#pragma once

#include <string_view>

#include "base/time.h"
#include "lang/expr/problem.h"
#include "lang/expr/value.h"

// Conditions: the language of successCondition and failureCondition, expr-lang 1.17 with Argo
// Rollouts' environment. Pure: the same condition, result and time give the same answer.
namespace slipway::lang::expr {

// Whether `result` is as the condition wants it. `now` is what now() answers. Costs at most what
// limits.h allows; the problem says what is wrong with the condition, with the result, or which
// limit was reached.
Outcome<bool> evaluate_condition(std::string_view condition, const Value& result, Time now);

// Whether some result makes it an answer: it can be read, its names are known, and what it gives
// may be a bool.
Outcome<void> check_condition(std::string_view condition);

// The value of an expression like `now() - duration("1h")`: start and end of a range query.
Outcome<Time> evaluate_time(std::string_view expression, Time now);

// Whether Argo reports "metric result is nil or empty" in place of the problem.
bool is_no_data(const Value& result);

}  // namespace slipway::lang::expr
