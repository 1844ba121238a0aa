#pragma once

#include <cstdint>
#include <cstdlib>
#include <vector>

// Which seeds a simulation plays. SLIPWAY_SEEDS says how many, SLIPWAY_SEED plays a single one
// again.
namespace slipway::sim {

// A long test is as many tests, which shares of a program play side by side.
inline constexpr std::uint64_t kParts = 10;
// Prime to kParts: no part has them all.
inline constexpr std::uint64_t kTwiceEach = 11;

inline std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

inline bool is_single_seed() { return number_from("SLIPWAY_SEED", 0) != 0; }

// Of 1 to `most` those that are `part` modulo `parts`.
inline std::vector<std::uint64_t> seeds(std::uint64_t most, std::uint64_t part = 0,
                                        std::uint64_t parts = 1) {
  const std::uint64_t one = number_from("SLIPWAY_SEED", 0);
  std::vector<std::uint64_t> all;
  for (std::uint64_t seed = one ? one : 1; seed <= (one ? one : most); ++seed)
    if (seed % parts == part) all.push_back(seed);
  return all;
}

// One seed goes one way: each so often is played again, to see it.
inline bool is_played_twice(std::uint64_t seed) { return seed % kTwiceEach == 1; }

}  // namespace slipway::sim
