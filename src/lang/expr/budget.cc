#include "lang/expr/budget.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/expr/failure.h"

namespace slipway::lang::expr {

void Budget::memory(std::size_t elements) {
  if (elements >= kMemoryBudget || !has_memory(elements)) panic("memory budget exceeded");
  memory_ += elements;
}

void Budget::copy(std::size_t elements) {
  copies_ += std::min(elements, kMaxCopies + 1);
  if (copies_ > kMaxCopies)
    panic(fmt::format("the condition copies more than {} elements", kMaxCopies));
}

void Budget::step(std::size_t count) {
  steps_ += std::min(count, kMaxSteps + 1);
  if (steps_ > kMaxSteps) panic(fmt::format("the condition takes more than {} steps", kMaxSteps));
}

void Budget::text(std::size_t bytes) {
  if (bytes > kMaxText || text_ + bytes > kMaxText)
    panic(fmt::format("the condition makes texts of more than {} bytes", kMaxText));
  text_ += bytes;
}

}  // namespace slipway::lang::expr
