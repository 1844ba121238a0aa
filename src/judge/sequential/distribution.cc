#include "judge/sequential/distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "judge/ranks.h"
#include "judge/sequential/engine.h"
#include "judge/sequential/signed_rank.h"

namespace slipway::judge {
namespace {

constexpr double kScale = 0.85;
constexpr int kSteps = 200;  // of eta
constexpr double kMaxConstant = 800;

struct Weighted {
  double value = 0;
  double weight = 1;
};

// Values of a side; a bucket counts at its middle, the open ones at their finite edge.
std::vector<Weighted> weighted(const Side& side) {
  std::vector<Weighted> found;
  for (double point : side.points) found.push_back({.value = point});
  for (std::size_t i = 0; i < side.buckets.size(); ++i) {
    const Bucket& bucket = side.buckets[i];
    if (bucket.count <= 0) continue;
    const double below = i > 0 ? side.buckets[i - 1].upper : bucket.upper;
    const bool open = std::isinf(bucket.upper);
    found.push_back({.value = open ? with_margin(below, 1e-6) : (below + bucket.upper) / 2,
                     .weight = bucket.count});
  }
  std::ranges::sort(found, {}, &Weighted::value);
  return found;
}

double weight_of(const std::vector<Weighted>& values) {
  double sum = 0;
  for (const Weighted& one : values) sum += one.weight;
  return sum;
}

// P(larger > smaller + margin) + half P(equal) - 1/2.
double advantage(const std::vector<Weighted>& smaller, const std::vector<Weighted>& larger,
                 double margin) {
  double sum = 0;
  double passed = 0;
  std::size_t at = 0;
  for (const Weighted& one : larger) {
    auto limit = [&](std::size_t i) { return with_margin(smaller[i].value, margin); };
    while (at < smaller.size() && limit(at) < one.value && !tied(limit(at), one.value)) {
      passed += smaller[at++].weight;
    }
    double equal = 0;
    for (std::size_t i = at; i < smaller.size() && tied(limit(i), one.value); ++i) {
      equal += smaller[i].weight;
    }
    sum += one.weight * (passed + equal / 2);
  }
  return sum / (weight_of(smaller) * weight_of(larger)) - 0.5;
}

// Edges at even quantiles of the first data of both sides together, the last one infinite: bands
// hold at every value at once, so any choice of values is fair.
std::vector<double> choose_edges(const std::vector<Weighted>& control,
                                 const std::vector<Weighted>& experiment) {
  std::vector<double> values;
  for (const auto* side : {&control, &experiment}) {
    for (const Weighted& one : *side) values.push_back(one.value);
  }
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<double> edges;
  const std::size_t count = std::min(kMaxEdges - 1, values.size());
  for (std::size_t i = 0; i < count; ++i) {
    // Half a tolerance above, so that a value and its rescaled self fall on the same side.
    edges.push_back(with_margin(values[(i + 1) * values.size() / count - 1], 2 * kTieTolerance));
  }
  edges.push_back(std::numeric_limits<double>::infinity());
  return edges;
}

void count_below(const std::vector<double>& edges, const std::vector<Weighted>& values,
                 std::vector<double>& below) {
  below.resize(edges.size(), 0.0);
  std::size_t at = 0;
  double sum = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (; at < values.size() && values[at].value <= edges[i]; ++at) sum += values[at].weight;
    below[i] += sum;
  }
}

// The largest P(smaller <= x) - P(larger <= x plus margin). Between two edges values are taken as
// spread evenly: read at the edge above, a margin would hide whatever stays within one bucket.
double gap(const std::vector<double>& edges, const std::vector<double>& smaller,
           const std::vector<double>& larger, double margin) {
  double widest = 0;
  std::size_t next = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const double limit = with_margin(edges[i], margin);
    while (edges[next] < limit && next + 1 < edges.size()) ++next;
    double below = larger[next];
    if (next > i && std::isfinite(edges[next])) {
      const double share = (limit - edges[next - 1]) / (edges[next] - edges[next - 1]);
      below = larger[next - 1] + share * (larger[next] - larger[next - 1]);
    }
    widest = std::max(widest, smaller[i] / smaller.back() - below / larger.back());
  }
  return widest;
}

// The chance that both bands are as wide as the gap, half for each side.
double gap_p(double gap, double control, double experiment, double begin) {
  auto apart = [&](double c) {
    return gap > band_width(control, begin, c) + band_width(experiment, begin, c);
  };
  double low = 0;
  double high = kMaxConstant;
  static const double kHardly = band_constant(0.5);
  if (!apart(kHardly)) return 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (apart(middle) ? low : high) = middle;
  }
  return std::min(1.0, 2 * band_alpha(low));
}

double bands_p(const Plan& plan, const State& state) {
  const double control = state.control_below.back();
  const double experiment = state.experiment_below.back();
  const double begin = std::min({state.tuned_for, control, experiment});
  double widest = 0;
  if (plan.direction != Direction::kDecrease) {
    widest = gap(state.edges, state.control_below, state.experiment_below, plan.margin);
  }
  if (plan.direction != Direction::kIncrease) {
    widest = std::max(widest,
                      gap(state.edges, state.experiment_below, state.control_below, plan.margin));
  }
  return gap_p(widest, control / plan.tau, experiment / plan.tau, begin / plan.tau);
}

// Whether two distributions without any overlap would be told apart by now.
bool could_fail(const Plan& plan, const State& state) {
  if (state.edges.empty()) return false;
  const double control = state.control_below.back() / plan.tau;
  const double experiment = state.experiment_below.back() / plan.tau;
  return gap_p(1, control, experiment, std::min(control, experiment)) <=
         bands_share(plan) * plan.alpha;
}

// The sums of one advantage a look.
Sums rank_advantages(std::span<const double> advantages, std::optional<double>& p) {
  std::vector<Difference> differences;
  for (double one : advantages) {
    const bool even = std::abs(one) <= kTieTolerance;
    differences.push_back({.value = even ? 0 : one, .tolerance = kTieTolerance});
  }
  const auto scores = signed_scores(differences, 0);
  Sums sums;
  add_scores(sums, scores);
  if (scores.size() <= kMaxExactPairs) p = sign_flip_p(scores);
  return sums;
}

}  // namespace

double bands_share(const Plan& plan) { return plan.planned_looks >= kLooksWorthRanking ? 0.5 : 1; }

double band_alpha(double c) {
  double least = 1;
  for (int i = 1; i < kSteps; ++i) {
    const double eta = 1 + (2 * kScale * kScale - 1) * i / kSteps;
    const double root = kScale - std::sqrt(2 * (eta - 1) / c);
    const double gamma = 2 / eta * root * root;
    if (root <= 0 || gamma <= 1) continue;
    const double alpha = 4 * std::exp(-gamma * c) * (1 + 1 / ((gamma - 1) * std::log(eta)));
    least = std::min(least, alpha);
  }
  return least;
}

double band_constant(double alpha) {
  double low = 0;
  double high = kMaxConstant;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (band_alpha(middle) > alpha ? low : high) = middle;
  }
  return high;
}

double band_width(double t, double m, double c) {
  return kScale * std::sqrt((std::log(1 + std::log(std::max(1.0, t / m))) + c) / t);
}

Reading read_distribution(const Plan& plan, State& state, const Evidence& evidence) {
  const auto control = weighted(evidence.control);
  const auto experiment = weighted(evidence.experiment);
  Reading reading = {.fresh = !control.empty() && !experiment.empty(), .sums = last_sums(state)};
  if (reading.fresh) {
    if (state.edges.empty()) {
      state.edges = choose_edges(control, experiment);
      state.tuned_for = std::min(weight_of(control), weight_of(experiment));
    }
    count_below(state.edges, control, state.control_below);
    count_below(state.edges, experiment, state.experiment_below);
    state.control_points = static_cast<std::size_t>(std::llround(state.control_below.back()));
    state.experiment_points = static_cast<std::size_t>(std::llround(state.experiment_below.back()));
    const double up = advantage(control, experiment, plan.margin);
    const double down = advantage(experiment, control, plan.margin);
    keep(state, std::span(&down, 1), std::span(&up, 1));
    reading.sums.up = rank_advantages(state.experiment, reading.p_up);
    reading.sums.down = rank_advantages(state.control, reading.p_down);
    if (plan.tau > 1) reading.p_up = reading.p_down = std::nullopt;
    reading.p_bands = bands_p(plan, state);
  }
  if (could_fail(plan, state)) {
    reading.points = static_cast<double>(std::min(state.control_points, state.experiment_points));
  }
  return reading;
}

}  // namespace slipway::judge
