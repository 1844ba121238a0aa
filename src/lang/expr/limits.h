#pragma once

#include <cstddef>
#include <cstdint>

// What one condition may cost. The first two are expr-lang's own and end in its words.
namespace slipway::lang::expr {

inline constexpr std::size_t kMaxNodes = 10'000;           // of the syntax tree
inline constexpr std::size_t kMemoryBudget = 1'000'000;    // elements and repeated bytes made
inline constexpr std::size_t kMaxSource = 64 * 1024;       // bytes of the condition
inline constexpr int kMaxTreeDepth = 400;                  // nesting of the condition
inline constexpr std::size_t kMaxCompileWork = 2'000'000;  // nodes looked at before it runs
inline constexpr std::size_t kMaxSteps =
    10'000'000;  // instructions, elements walked, blocks of text read
inline constexpr std::size_t kMaxText = 64 * 1024 * 1024;  // bytes of all texts made
inline constexpr std::size_t kMaxCopies =
    5'000'000;                                  // elements copied that expr-lang does not count
inline constexpr std::size_t kTextBlock = 256;  // bytes read as one step
inline constexpr int kMaxKeyDepth = 8;          // nesting of map keys
inline constexpr int kMaxValueDepth = 500;      // nesting of values made

}  // namespace slipway::lang::expr
