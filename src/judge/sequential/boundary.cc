#include "judge/sequential/boundary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "base/error.h"
#include "judge/normal.h"

namespace slipway::judge {
namespace {

// Gauss–Legendre on [-1, 1], eight points.
struct Abscissa {
  double x = 0;
  double weight = 0;
};
constexpr std::array<Abscissa, 8> kPanel = {{{-0.9602898564975363, 0.1012285362903763},
                                             {-0.7966664774136267, 0.2223810344533745},
                                             {-0.5255324099163290, 0.3137066458778873},
                                             {-0.1834346424956498, 0.3626837833783620},
                                             {0.1834346424956498, 0.3626837833783620},
                                             {0.5255324099163290, 0.3137066458778873},
                                             {0.7966664774136267, 0.2223810344533745},
                                             {0.9602898564975363, 0.1012285362903763}}};
constexpr double kLowest = 5;      // z below which paths are forgotten: three in ten million
constexpr double kPanelWidth = 4;  // in standard deviations of a step
constexpr std::size_t kMaxPanels = 128;
constexpr double kReach = 6.5;  // standard deviations a step may go
constexpr double kHighest = 9;  // boundaries are looked for up to here
constexpr int kMaxSteps = 100;
constexpr double kPrecision = 1e-10;

double density(double z) {
  constexpr double kFactor = 0.3989422804014327;  // 1 / sqrt(2 pi)
  return kFactor * std::exp(-0.5 * z * z);
}

}  // namespace

double spent_by(Spending spending, double alpha, double t, double gamma) {
  if (t <= 0) return 0;
  if (t >= 1) return alpha;
  switch (spending) {
    case Spending::kPocock:
      return alpha * std::log(1 + (std::numbers::e - 1) * t);
    case Spending::kObrienFleming:
      return 2 * normal_cdf(normal_quantile(alpha / 2) / std::sqrt(t));
    case Spending::kLinear:
      return alpha * t;
    case Spending::kHwangShihDeCani:
      return gamma == 0 ? alpha * t : alpha * std::expm1(-gamma * t) / std::expm1(-gamma);
  }
  return alpha;
}

Boundaries::Chance Boundaries::chance_above(double s, double spread) const {
  Chance chance;
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const double z = (s - nodes_[i].s) / spread;
    if (z > kReach) break;
    chance.above += nodes_[i].mass * normal_upper(z);
    chance.slope += nodes_[i].mass * density(z) / spread;
  }
  return chance;
}

void Boundaries::settle(double step) {
  if (v_ <= from_v_) return;
  const double spread = std::sqrt(v_ - from_v_);
  const double low = -kLowest * std::sqrt(v_);
  const double high = std::min(boundary_, kHighest) * std::sqrt(v_);
  const double width = kPanelWidth * std::min(spread, step);
  const auto panels = std::min(
      kMaxPanels, static_cast<std::size_t>(std::ceil(std::max(high - low, width) / width)));
  const double half = (high - low) / (2 * static_cast<double>(panels));
  std::vector<Node> next;
  next.reserve(panels * kPanel.size());
  // Both lists ascend, so what one node can be reached from moves along with it.
  std::size_t first = 0;
  for (std::size_t panel = 0; panel < panels; ++panel) {
    const double middle = low + half * (2 * static_cast<double>(panel) + 1);
    for (const Abscissa& one : kPanel) {
      const double s = middle + half * one.x;
      while (first < nodes_.size() && (s - nodes_[first].s) / spread > kReach) ++first;
      double sum = 0;
      for (std::size_t i = first; i < nodes_.size(); ++i) {
        const double z = (s - nodes_[i].s) / spread;
        if (z < -kReach) break;
        sum += nodes_[i].mass * density(z);
      }
      next.push_back({.s = s, .mass = one.weight * half * sum / spread});
    }
  }
  nodes_ = std::move(next);
  from_v_ = v_;
}

double Boundaries::next(double v, double alpha) {
  SLIPWAY_ASSERT(v > v_);
  if (alpha < kLeastAlpha) return std::numeric_limits<double>::infinity();
  const double spread = std::sqrt(v - v_);
  settle(spread);
  const double root = std::sqrt(v);
  double low = -kLowest;
  double high = kHighest;
  double guess = v_ > 0 ? boundary_ : -normal_quantile(alpha);
  // Newton's steps, kept inside a bracket that shrinks with each.
  for (int i = 0; i < kMaxSteps && high - low > kPrecision; ++i) {
    const Chance chance = chance_above(guess * root, spread);
    (chance.above > alpha ? low : high) = guess;
    const double newton = guess + (chance.above - alpha) / (chance.slope * root);
    if (std::abs(newton - guess) < kPrecision) break;
    guess = newton > low && newton < high ? newton : (low + high) / 2;
  }
  v_ = v;
  boundary_ = guess;
  return guess;
}

void Boundaries::follow(double v, double boundary) {
  SLIPWAY_ASSERT(v > v_);
  settle(std::sqrt(v - v_));
  v_ = v;
  boundary_ = boundary;
}

std::vector<double> planned_boundaries(Spending spending, double alpha, int looks, double gamma) {
  std::vector<double> planned;
  Boundaries boundaries;
  double before = 0;
  for (int look = 1; look <= looks; ++look) {
    const double by = spent_by(spending, alpha, static_cast<double>(look) / looks, gamma);
    planned.push_back(boundaries.next(look, by - before));
    if (std::isfinite(planned.back())) before = by;
  }
  return planned;
}

}  // namespace slipway::judge
