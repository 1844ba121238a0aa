#include "judge/sequential/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "judge/ranks.h"
#include "judge/sequential/engine.h"

namespace slipway::judge {
namespace {

// The logarithm of a ratio of two doubles is off by some 1e-16; scaling both adds as much.
constexpr double kLogTolerance = 4e-12;

double signed_score(std::span<const Difference> differences, std::size_t at) {
  const Difference& one = differences[at];
  if (one.value == 0) return 0;
  const std::size_t first = at >= kMaxKept ? at - kMaxKept + 1 : 0;
  const double size = std::abs(one.value);
  std::size_t less = 0;
  std::size_t equal = 0;
  for (std::size_t i = first; i <= at; ++i) {
    const double other = std::abs(differences[i].value);
    const double tolerance = std::max(one.tolerance, differences[i].tolerance);
    if (other == size || std::abs(other - size) <= tolerance) {
      ++equal;
    } else if (other < size) {
      ++less;
    }
  }
  const double middle = static_cast<double>(less) + (static_cast<double>(equal) + 1) / 2;
  return std::copysign(middle / static_cast<double>(at - first + 2), one.value);
}

// All sums of signs times sizes.
std::vector<double> all_sums(std::span<const double> sizes) {
  std::vector<double> sums = {0};
  for (double size : sizes) {
    const std::size_t before = sums.size();
    for (std::size_t i = 0; i < before; ++i) sums.push_back(sums[i] - size);
    for (std::size_t i = 0; i < before; ++i) sums[i] += size;
  }
  return sums;
}

bool all_positive(std::span<const double> values) {
  return std::ranges::all_of(values, [](double value) { return value > 0; });
}

std::vector<Difference> differences(const Plan& plan, const State& state, bool up) {
  const auto& larger = up ? state.experiment : state.control;
  const auto& smaller = up ? state.control : state.experiment;
  std::vector<Difference> found;
  found.reserve(larger.size());
  for (std::size_t i = 0; i < larger.size(); ++i) {
    found.push_back(difference(larger[i], smaller[i], plan.margin, state.log_scale));
  }
  return found;
}

struct Counted {
  Sums sums;
  std::optional<double> p = {};
};

Counted count(const Plan& plan, const State& state, Sums before, std::size_t from, bool up) {
  const auto all = differences(plan, state, up);
  Counted counted = {.sums = before};
  add_scores(counted.sums, signed_scores(all, from));
  if (plan.tau == 1 && all.size() == state.control_points && all.size() <= kMaxExactPairs) {
    counted.p = sign_flip_p(signed_scores(all, 0));
  }
  return counted;
}

}  // namespace

Difference difference(double a, double b, double margin, bool log_scale) {
  const double limit = with_margin(b, margin);
  if (tied(a, limit)) return {};
  if (!log_scale) {
    return {.value = a - limit,
            .tolerance = kTieTolerance * std::max(std::abs(a), std::abs(limit))};
  }
  if (a > 0 && limit > 0) return {.value = std::log(a / limit), .tolerance = kLogTolerance};
  return {.value = std::copysign(std::numeric_limits<double>::infinity(), a - limit)};
}

std::vector<double> signed_scores(std::span<const Difference> differences, std::size_t from) {
  std::vector<double> scores;
  scores.reserve(differences.size() - from);
  for (std::size_t i = from; i < differences.size(); ++i) {
    scores.push_back(signed_score(differences, i));
  }
  return scores;
}

void add_scores(Sums& sums, std::span<const double> scores) {
  for (double score : scores) {
    sums.s += score;
    sums.v += score * score;
  }
  sums.v_bound = sums.v;
}

double sign_flip_p(std::span<const double> scores) {
  SLIPWAY_ASSERT(scores.size() <= kMaxExactPairs);
  const double wanted = std::accumulate(scores.begin(), scores.end(), 0.0) - 1e-9;
  std::vector<double> sizes;
  for (double score : scores) {
    if (score != 0) sizes.push_back(std::abs(score));
  }
  const std::span<const double> all = sizes;
  const auto left = all_sums(all.first(sizes.size() / 2));
  auto right = all_sums(all.subspan(sizes.size() / 2));
  std::ranges::sort(right);
  double ways = 0;
  for (double sum : left) {
    ways += static_cast<double>(right.end() - std::ranges::lower_bound(right, wanted - sum));
  }
  return ways / (static_cast<double>(left.size()) * static_cast<double>(right.size()));
}

Reading read_signed_rank(const Plan& plan, State& state, const Evidence& evidence) {
  const auto& control = evidence.control.points;
  const auto& experiment = evidence.experiment.points;
  Reading reading = {.fresh = !control.empty(), .sums = last_sums(state)};
  if (reading.fresh) {
    if (state.control_points == 0) {
      state.log_scale = all_positive(control) && all_positive(experiment);
      // Scores spread evenly over (0, 1) have a mean square of 1/3.
      state.tuned_for = kDefaultLooks * static_cast<double>(control.size()) / 3;
    }
    state.control_points += control.size();
    state.experiment_points += experiment.size();
    state.control.insert(state.control.end(), control.begin(), control.end());
    state.experiment.insert(state.experiment.end(), experiment.begin(), experiment.end());
    const std::size_t from = state.control.size() - control.size();
    const Counted up = count(plan, state, reading.sums.up, from, true);
    const Counted down = count(plan, state, reading.sums.down, from, false);
    reading.sums.up = up.sums;
    reading.sums.down = down.sums;
    reading.p_up = up.p;
    reading.p_down = down.p;
    state.control.resize(from);
    state.experiment.resize(from);
    keep(state, control, experiment);
  }
  reading.points = static_cast<double>(state.control_points);
  return reading;
}

}  // namespace slipway::judge
