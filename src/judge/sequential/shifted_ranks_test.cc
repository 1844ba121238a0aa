#include "judge/sequential/shifted_ranks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "judge/sequential/signed_rank.h"

namespace slipway::judge {
namespace {

double z_by_definition(const std::vector<double>& differences, double shift, double tau) {
  std::vector<Difference> shifted;
  for (double one : differences) shifted.push_back({.value = one - shift});
  Sums sums;
  add_scores(sums, signed_scores(shifted, 0));
  return sums.v > 0 ? sums.s / std::sqrt(sums.v * tau) : 0;
}

// Halves have ties of equal and of opposite sign at every shift that is a multiple of a quarter.
TEST(ShiftedRanks, AreTheSequentialSignedRanksAtEveryShift) {
  std::mt19937_64 random(7);
  std::uniform_int_distribution<int> halves(-9, 9);
  for (std::size_t count : {1u, 30u, 64u, 65u, 300u}) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < count; ++i) differences.push_back(halves(random) * 0.5);
    ShiftedRanks ranks(differences);
    for (double shift = -5; shift <= 5; shift += 0.25)
      EXPECT_DOUBLE_EQ(ranks.z(shift, 2), z_by_definition(differences, shift, 2))
          << count << " less " << shift;
  }
}

}  // namespace
}  // namespace slipway::judge
