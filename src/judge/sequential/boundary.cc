#include "judge/sequential/boundary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <span>

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

constexpr double kFactor = 0.3989422804014327;  // 1 / sqrt(2 pi)

double density(double z) { return kFactor * std::exp(-0.5 * z * z); }

}  // namespace

// Densities between the points of two panels whose middles are c apart, all in standard deviations
// of the step: with x and y from the middles, exp(-(c + x - y)²/2) is a product of exp(-(c +
// x)²/2), exp(c y), exp(x y) and exp(-y²/2). The last two are the same for all panels, the others
// follow from those of the panel before, so one exponential serves 64 pairs of points.
class Boundaries::Spreading {
 public:
  Spreading(double half_from, double half_to)
      : reach_(kReach + half_from + half_to), step_(2 * half_from) {
    for (std::size_t i = 0; i < kPanel.size(); ++i) {
      to_[i] = half_to * kPanel[i].x;
      from_[i] = half_from * kPanel[i].x;
      to_step_[i] = std::exp(step_ * to_[i]);
      from_step_[i] = std::exp(-step_ * from_[i]);
      from_alone_[i] = std::exp(-0.5 * from_[i] * from_[i]);
    }
    for (std::size_t j = 0; j < kPanel.size(); ++j) {
      for (std::size_t i = 0; i < kPanel.size(); ++i) both_[j][i] = std::exp(to_[i] * from_[j]);
    }
  }

  // Beyond it no two points of two panels reach each other.
  double reach() const { return reach_; }
  // Between the middles of two neighbours that mass comes from.
  double step() const { return step_; }

  // What all panels from the first in reach, c before `to`'s, bring to each point of one.
  Eight gather(std::span<const Node> nodes, double c) const {
    Eight sums = {}, before = {}, across = {};
    for (std::size_t i = 0; i < kPanel.size(); ++i) {
      before[i] = std::exp(-0.5 * (c + to_[i]) * (c + to_[i]));
      across[i] = std::exp(c * from_[i]) * from_alone_[i];
    }
    for (; !nodes.empty() && c >= -reach_; nodes = nodes.subspan(kPanel.size())) {
      add_panel(nodes.first<kPanel.size()>(), c, across, before, sums);
      const double on = std::exp(step_ * c - 0.5 * step_ * step_);
      for (std::size_t i = 0; i < kPanel.size(); ++i) {
        before[i] *= on * to_step_[i];
        across[i] *= from_step_[i];
      }
      c -= step_;
    }
    for (double& sum : sums) sum *= kFactor;
    return sums;
  }

 private:
  void add_panel(std::span<const Node, kPanel.size()> nodes, double c, const Eight& across,
                 const Eight& before, Eight& sums) const {
    Eight found = {};
    for (std::size_t j = 0; j < kPanel.size(); ++j) {
      const double mass = nodes[j].mass * across[j];
      const double apart = c - from_[j];
      for (std::size_t i = 0; i < kPanel.size(); ++i) {
        found[i] += std::abs(apart + to_[i]) <= kReach ? mass * both_[j][i] : 0;
      }
    }
    for (std::size_t i = 0; i < kPanel.size(); ++i) sums[i] += before[i] * found[i];
  }

  double reach_;
  double step_;
  Eight to_, from_, to_step_, from_step_, from_alone_;
  std::array<Eight, kPanel.size()> both_;
};

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
  const Spreading spreading(half_ / spread, half / spread);
  const std::span<const Node> nodes = nodes_;
  std::size_t first = 0;  // of what can reach a panel; moves along with it
  for (std::size_t panel = 0; panel < panels; ++panel) {
    const double middle = low + half * (2 * static_cast<double>(panel) + 1);
    const auto apart = [&] {
      return (middle - lowest_) / spread -
             spreading.step() * static_cast<double>(first / kPanel.size());
    };
    while (first < nodes.size() && apart() > spreading.reach()) first += kPanel.size();
    const Eight densities = spreading.gather(nodes.subspan(first), apart());
    for (std::size_t i = 0; i < kPanel.size(); ++i) {
      next.push_back({.s = middle + half * kPanel[i].x,
                      .mass = kPanel[i].weight * half * densities[i] / spread});
    }
  }
  nodes_ = std::move(next);
  lowest_ = low + half;
  half_ = half;
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
