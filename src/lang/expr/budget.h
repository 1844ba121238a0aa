#pragma once

#include <cstddef>

#include "base/time.h"
#include "lang/expr/limits.h"

namespace slipway::lang::expr {

// What one run may still use, and the time it believes it is. Each call panics at its limit.
class Budget {
 public:
  explicit Budget(Time now) : now_(now) {}

  Time now() const { return now_; }
  void memory(std::size_t elements);  // expr-lang's own count
  // Whether `memory` would let that much through.
  bool has_memory(std::size_t elements) const { return memory_ + elements < kMemoryBudget; }
  void step(std::size_t count = 1);
  void copy(std::size_t elements);  // beside `memory`: what expr-lang does not count
  void read(std::size_t bytes) { step(bytes / kTextBlock); }
  void text(std::size_t bytes);  // before a text of that size is made

 private:
  Time now_;
  std::size_t memory_ = 0;
  std::size_t copies_ = 0;
  std::size_t steps_ = 0;
  std::size_t text_ = 0;
};

}  // namespace slipway::lang::expr
