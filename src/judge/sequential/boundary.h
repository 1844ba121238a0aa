#pragma once

#include <array>
#include <span>
#include <vector>

#include "judge/sequential/plan.h"

// Group-sequential boundaries: how much of alpha is spent by when, and the z that spends it.
namespace slipway::judge {

// Looks that are tested at most: of longer plans every n-th, which costs detection n looks of
// hundreds and saves most of the arithmetic. The plan's last look is one more.
inline constexpr int kMaxTested = 200;

// Of `alpha`, what may be spent when the fraction `t` of the plan is over (0 to 1).
double spent_by(Spending spending, double alpha, double t, double gamma = kDefaultGamma);

// Boundaries of one statistic with independent increments, look by look, on its actual variances.
//
// The chance that z_k = s_k / sqrt(v_k) reaches its boundary at some look is what was spent,
// whatever the steps of v are.
class Boundaries {
 public:
  // The boundary of the next look, whose variance is `v` (above the last one's), spending `alpha`
  // more. Infinity when alpha is too small to have one (under kLeastAlpha): nothing is spent.
  double next(double v, double alpha);

  double variance() const { return v_; }  // of the last look, 0 before the first

  // A look with a boundary known already, as a state remembers it.
  void follow(double v, double boundary);

  static constexpr double kLeastAlpha = 1e-13;
  // Below this share of the variance a look brings nothing to test.
  static constexpr double kLeastStep = 1e-3;

 private:
  struct Node {
    double s = 0;
    double mass = 0;
  };
  using Eight = std::array<double, 8>;  // one for each point of a panel
  class Spreading;
  // Spreads the mass of paths that have not crossed over [-5 sqrt(v), boundary], fine enough for a
  // step of `step` from there.
  void settle(double step);
  struct Chance {
    double above = 0;
    double slope = 0;
  };
  Chance chance_above(double s, double spread) const;

  // Paths alive at the look before the last, in panels of eight points; before the first look one
  // panel without width.
  std::vector<Node> nodes_ = std::vector<Node>(8, {.s = 0, .mass = 0.125});
  double lowest_ = 0;    // the middle of the first panel
  double half_ = 0;      // of a panel's width
  double from_v_ = 0;    // its variance
  double v_ = 0;         // the last look's
  double boundary_ = 0;  // the last look's, of z
};

// The boundaries of `looks` equal looks.
std::vector<double> planned_boundaries(Spending spending, double alpha, int looks,
                                       double gamma = kDefaultGamma);

}  // namespace slipway::judge
