#include "judge/ranks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace slipway::judge {

namespace {

double cubed_less_itself(std::size_t size) {
  const auto t = static_cast<double>(size);
  return t * t * t - t;
}

std::vector<double> sorted(std::span<const double> values) {
  std::vector<double> out(values.begin(), values.end());
  std::ranges::sort(out);
  return out;
}

}  // namespace

bool tied(double a, double b, double tolerance) {
  if (a == b) return true;
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

Ranked rank(std::span<const double> values, double tolerance) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  Ranked out{.ranks = std::vector<double>(values.size()), .groups = {}};
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    for (end = begin + 1; end < order.size(); ++end)
      if (!tied(values[order[end - 1]], values[order[end]], tolerance)) break;
    const double middle = static_cast<double>(begin + 1 + end) / 2;
    for (std::size_t at = begin; at < end; ++at) out.ranks[order[at]] = middle;
    out.groups.push_back(end - begin);
    out.tie_sum += cubed_less_itself(end - begin);
  }
  out.has_ties = out.groups.size() < values.size();
  return out;
}

// Each side is sorted alone and the two are merged: half the work of sorting pairs of value and
// side.
Pooled rank_pooled(std::span<const double> control, std::span<const double> experiment,
                   double tolerance) {
  Pooled out{.groups = {}, .control = sorted(control), .experiment = sorted(experiment)};
  auto& y = out.control;
  auto& x = out.experiment;
  out.groups.reserve(x.size() + y.size());
  std::size_t i = 0;
  std::size_t j = 0;
  const auto next_is_x = [&] { return j == y.size() || (i < x.size() && x[i] <= y[j]); };
  while (i < x.size() || j < y.size()) {
    const std::size_t first_i = i;
    const std::size_t first_j = j;
    const double least = next_is_x() ? x[i] : y[j];
    for (double last = least; i < x.size() || j < y.size();) {
      double& next = next_is_x() ? x[i] : y[j];
      if (!tied(last, next, tolerance)) break;
      ++(next_is_x() ? i : j);
      last = std::exchange(next, least);
    }
    const auto experiments = static_cast<double>(i - first_i);
    const auto controls = static_cast<double>(j - first_j);
    out.u += experiments * (static_cast<double>(first_j) + controls / 2);
    out.groups.push_back(i - first_i + j - first_j);
    out.tie_sum += cubed_less_itself(out.groups.back());
  }
  out.has_ties = out.groups.size() < x.size() + y.size();
  return out;
}

double u_variance(std::size_t n, std::size_t m, double tie_sum) {
  const auto a = static_cast<double>(n);
  const auto b = static_cast<double>(m);
  const double all = a + b;
  if (all < 2) return 0;
  return a * b / 12 * (all + 1 - tie_sum / (all * (all - 1)));
}

}  // namespace slipway::judge
