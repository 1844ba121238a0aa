#pragma once

#include <cstddef>
#include <string>

#include "lang/expr/failure.h"
#include "lang/expr/limits.h"

namespace slipway::lang::expr {

// Nodes looked at before a condition runs. Overloads look at their arguments again and again and
// shared operands are walked twice, so a short condition can ask for a lot.
class CompileWork {
 public:
  void step(Location at) {
    if (++steps_ > kMaxCompileWork)
      throw SourceFailure{"the condition is too complicated: more than " +
                              std::to_string(kMaxCompileWork) + " steps to compile it",
                          at};
  }

 private:
  std::size_t steps_ = 0;
};

}  // namespace slipway::lang::expr
