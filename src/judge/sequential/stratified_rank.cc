#include "judge/sequential/stratified_rank.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "judge/ranks.h"
#include "judge/sequential/engine.h"

namespace slipway::judge {
namespace {

std::vector<double> limits(std::span<const double> values, double margin) {
  std::vector<double> moved(values.begin(), values.end());
  for (double& value : moved) value = with_margin(value, margin);
  return moved;
}

// U of one look: `larger` against `smaller` plus the margin.
struct LookU {
  Sums sums;
  std::vector<std::size_t> groups;
  std::size_t larger = 0;
};

LookU look_u(std::span<const double> smaller, std::span<const double> larger, double margin) {
  const Pooled pooled = rank_pooled(limits(smaller, margin), larger);
  const double pairs = static_cast<double>(smaller.size()) * static_cast<double>(larger.size());
  return {.sums = {.s = pooled.u - pairs / 2,
                   .v = u_variance(smaller.size(), larger.size(), pooled.tie_sum),
                   .v_bound = u_variance(smaller.size(), larger.size())},
          .groups = pooled.groups,
          .larger = larger.size()};
}

void add(Sums& sums, const Sums& more) {
  sums.s += more.s;
  sums.v += more.v;
  sums.v_bound += more.v_bound;
}

// P(2U = index) with both sides' splits equally likely.
std::vector<double> doubled_u(const LookU& look) {
  const std::size_t all = std::accumulate(look.groups.begin(), look.groups.end(), std::size_t{0});
  const std::size_t n = look.larger;
  const std::size_t width = 2 * n * (all - n) + 1;
  // ways[k * width + u]: of the groups so far, k values are the larger side's and 2U is u.
  std::vector<double> ways((n + 1) * width, 0.0);
  ways[0] = 1;
  std::size_t before = 0;
  for (const std::size_t size : look.groups) {
    std::vector<double> next(ways.size(), 0.0);
    for (std::size_t k = 0; k <= std::min(n, before); ++k) {
      double choices = 1;
      for (std::size_t r = 0; r <= size && k + r <= n; ++r) {
        const std::size_t more = 2 * (before - k) * r + r * (size - r);
        for (std::size_t u = 0; u + more < width; ++u) {
          next[(k + r) * width + u + more] += choices * ways[k * width + u];
        }
        choices = choices * static_cast<double>(size - r) / static_cast<double>(r + 1);
      }
    }
    ways = std::move(next);
    before += size;
  }
  std::vector<double> chances(ways.end() - static_cast<std::ptrdiff_t>(width), ways.end());
  const double total = std::accumulate(chances.begin(), chances.end(), 0.0);
  for (double& chance : chances) chance /= total;
  return chances;
}

std::vector<double> convolved(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> both(a.size() + b.size() - 1, 0.0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) both[i + k] += a[i] * b[k];
  }
  return both;
}

double exact_p(const std::vector<KeptLook>& looks, double margin, bool up, double s) {
  std::vector<double> chances = {1};
  for (const KeptLook& look : looks) {
    chances = convolved(chances, doubled_u(up ? look_u(look.control, look.experiment, margin)
                                              : look_u(look.experiment, look.control, margin)));
  }
  // S is centred: the index of 2U is 2S above the middle.
  const double index = 2 * s + static_cast<double>(chances.size() - 1) / 2;
  const auto from = static_cast<std::ptrdiff_t>(std::lround(index));
  return std::accumulate(chances.begin() + std::max<std::ptrdiff_t>(from, 0), chances.end(), 0.0);
}

bool small_enough(const State& state, const std::vector<KeptLook>& looks) {
  double pairs = 0;
  std::size_t points = 0;
  for (const KeptLook& look : looks) {
    pairs += static_cast<double>(look.control.size()) * static_cast<double>(look.experiment.size());
    points += look.control.size();
  }
  return points == state.control_points && pairs <= kMaxExactPairings;
}

}  // namespace

std::vector<KeptLook> kept_looks(const State& state) {
  std::vector<KeptLook> looks;
  std::size_t control = 0;
  std::size_t experiment = 0;
  for (std::size_t i = 0; i + 1 < state.kept_sizes.size(); i += 2) {
    const std::size_t n = state.kept_sizes[i];
    const std::size_t m = state.kept_sizes[i + 1];
    looks.push_back({.control = std::span(state.control).subspan(control, n),
                     .experiment = std::span(state.experiment).subspan(experiment, m)});
    control += n;
    experiment += m;
  }
  return looks;
}

Reading read_stratified_rank(const Plan& plan, State& state, const Evidence& evidence) {
  const auto& control = evidence.control.points;
  const auto& experiment = evidence.experiment.points;
  Reading reading = {.fresh = !control.empty() && !experiment.empty(), .sums = last_sums(state)};
  if (reading.fresh) {
    const Sums up = look_u(control, experiment, plan.margin).sums;
    add(reading.sums.up, up);
    add(reading.sums.down, look_u(experiment, control, plan.margin).sums);
    if (state.control_points == 0) state.tuned_for = kDefaultLooks * up.v_bound;
    state.control_points += control.size();
    state.experiment_points += experiment.size();
    keep(state, control, experiment);
    const auto looks = kept_looks(state);
    if (plan.tau == 1 && small_enough(state, looks)) {
      if (plan.direction != Direction::kDecrease) {
        reading.p_up = exact_p(looks, plan.margin, true, reading.sums.up.s);
      }
      if (plan.direction != Direction::kIncrease) {
        reading.p_down = exact_p(looks, plan.margin, false, reading.sums.down.s);
      }
    }
  }
  reading.points = static_cast<double>(std::min(state.control_points, state.experiment_points));
  return reading;
}

}  // namespace slipway::judge
