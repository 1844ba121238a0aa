#pragma once

#include <span>
#include <vector>

#include "judge/sequential/state.h"

// The sequential signed-rank statistic: each pair's difference is ranked, by size, among those up
// to it; its sign is a fair coin when nothing differs. Private to judge/sequential.
namespace slipway::judge {

struct Difference {
  double value = 0;      // 0 when equal; infinite when one side has no logarithm
  double tolerance = 0;  // sizes closer than this are the same
};

// By how much `a` exceeds `b` plus the margin, as logarithm of the ratio or as it is.
Difference difference(double a, double b, double margin, bool log_scale);

// sign * rank / (count + 1) of the differences from index `from` on; ranks go back kMaxKept.
std::vector<double> signed_scores(std::span<const Difference> differences, std::size_t from);

void add_scores(Sums& sums, std::span<const double> scores);

// Pairs up to which all signs are tried.
inline constexpr std::size_t kMaxExactPairs = 16;

// The share of all ways to toss the signs that give a sum at least that of `scores`.
double sign_flip_p(std::span<const double> scores);

}  // namespace slipway::judge
