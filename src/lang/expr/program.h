#pragma once

#include <cstdint>
#include <vector>

#include "lang/expr/failure.h"
#include "lang/expr/pattern.h"
#include "lang/expr/value.h"

// A condition ready to run: expr-lang's own instructions, so that what is left on the stack and
// when something is evaluated are the same. Private to lang/expr.
namespace slipway::lang::expr {

enum class Op {
  // Values: argument is a constant, a number or a variable.
  kPush,
  kInt,
  kPop,
  kNil,
  kTrue,
  kFalse,
  kStore,
  kLoadVariable,
  kLoadName,
  kLoadEnv,
  kFetch,
  kMethod,
  kSlice,
  kLen,
  kArray,
  kMap,
  kThrow,
  // Jumps: argument is how far.
  kJump,
  kJumpIfTrue,
  kJumpIfFalse,
  kJumpIfNil,
  kJumpIfNotNil,
  kJumpIfEnd,
  kJumpBackward,
  // Operators.
  kNegate,
  kNot,
  kEqual,
  kEqualInt,
  kEqualString,
  kIn,
  kLess,
  kMore,
  kLessOrEqual,
  kMoreOrEqual,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kModulo,
  kExponent,
  kRange,
  kMatches,
  kMatchesConst,
  kContains,
  kStartsWith,
  kEndsWith,
  // Calls: argument is how many arguments, of kBuiltin which function.
  kCall,
  kCallTyped,
  kBuiltin,
  // Loops.
  kBegin,
  kEnd,
  kPointer,
  kIncrementIndex,
  kDecrementIndex,
  kIncrementCount,
  kGetIndex,
  kSetIndex,
  kGetCount,
  kGetLen,
  kGetAcc,
  kSetAcc,
  kGroupBy,
  kGroups,
  kSortOrder,
  kSortBy,
  kSort,
};

struct Instruction {
  Op op = Op::kNil;
  std::int64_t argument = 0;
  std::int64_t count = 0;  // of kBuiltin: arguments
  Location at = {};
};

struct Program {
  std::vector<Instruction> code;
  std::vector<Value> constants;
  std::vector<Pattern> patterns;
  std::int64_t variables = 0;
};

}  // namespace slipway::lang::expr
