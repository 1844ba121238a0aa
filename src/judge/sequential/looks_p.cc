#include "judge/sequential/looks_p.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "judge/normal.h"
#include "judge/sequential/boundary.h"
#include "judge/sequential/evalue.h"

namespace slipway::judge {
namespace {

constexpr double kLeast = 1e-11;
constexpr double kLargest = 0.5;
constexpr int kMaxSteps = 30;
constexpr double kClearly = 1.001;  // more than the boundaries' own errors

struct Tested {
  double v = 0;
  double t = 0;
};

double newest_boundary(const Plan& plan, const std::vector<Tested>& looks, double alpha) {
  Boundaries boundaries;
  double before = 0;
  double boundary = 0;
  for (const Tested& look : looks) {
    const double by = spent_by(plan.spending, alpha, look.t, plan.gamma);
    boundary = boundaries.next(look.v, by - before);
    if (std::isfinite(boundary)) before = by;
  }
  return std::min(boundary, 40.0);
}

}  // namespace

double looks_p(const Plan& plan, const State& state, double z) {
  const double sides = plan.direction == Direction::kEither ? 2 : 1;
  std::vector<Tested> looks;
  for (std::size_t i = 0; i < state.past.size(); ++i) {
    if (state.past[i].boundary == 0) continue;
    looks.push_back(
        {.v = information(state.past[i]), .t = static_cast<double>(i + 1) / plan.planned_looks});
  }
  if (looks.empty()) return state.p;
  double high = std::log(std::min(kLargest, state.p / sides));
  // A boundary is at least the z of all that was spent by then, so most looks at good versions need
  // no boundaries to be passed over.
  const double spent = spent_by(plan.spending, std::exp(high), looks.back().t, plan.gamma);
  if (normal_upper(z) > kClearly * spent) return state.p;
  // The root of boundary - z in the logarithm of alpha, by false position.
  double above = newest_boundary(plan, looks, std::exp(high)) - z;
  if (above > 0) return state.p;
  double low = std::log(kLeast);
  double below = newest_boundary(plan, looks, kLeast) - z;
  if (below <= 0) return sides * kLeast;
  int side = 0;
  for (int i = 0; i < kMaxSteps && high - low > 1e-6; ++i) {
    const double middle = (below * high - above * low) / (below - above);
    const double value = newest_boundary(plan, looks, std::exp(middle)) - z;
    if (std::abs(value) < 1e-7) return sides * std::exp(middle);
    if (value > 0) {
      low = middle;
      below = value;
      if (side == 1) above /= 2;
      side = 1;
    } else {
      high = middle;
      above = value;
      if (side == -1) below /= 2;
      side = -1;
    }
  }
  return sides * std::exp(high);
}

}  // namespace slipway::judge
