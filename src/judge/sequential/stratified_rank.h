#pragma once

#include <span>
#include <vector>

#include "judge/sequential/state.h"

// Mann–Whitney's U of each look, added up: looks may differ from each other as they like (load,
// season), only the sides of one look are compared. Private to judge/sequential.
namespace slipway::judge {

// Pairs over all looks up to which the distribution of the sum is exact.
inline constexpr double kMaxExactPairings = 60;

struct KeptLook {
  std::span<const double> control;
  std::span<const double> experiment;
};
// The looks whose points the state still holds.
std::vector<KeptLook> kept_looks(const State& state);

}  // namespace slipway::judge
