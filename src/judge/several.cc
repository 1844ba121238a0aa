#include "judge/several.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error.h"

namespace slipway::judge {
namespace {

double usable(double weight) { return weight > 0 && std::isfinite(weight) ? weight : 0; }

double total(std::span<const double> weights) {
  double sum = 0;
  for (double weight : weights) sum += usable(weight);
  return sum;
}

}  // namespace

std::vector<double> shared_alpha(double rate, std::span<const double> weights) {
  const double sum = total(weights);
  std::vector<double> shares;
  for (double weight : weights) shares.push_back(sum > 0 ? rate * usable(weight) / sum : 0);
  return shares;
}

std::vector<bool> fail_by_holm(double rate, std::span<const double> p,
                               std::span<const double> weights) {
  SLIPWAY_ASSERT(weights.empty() || weights.size() == p.size());
  std::vector<double> own(p.size(), 1.0);
  for (std::size_t i = 0; i < weights.size(); ++i) own[i] = usable(weights[i]);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p.size(); ++i) {
    if (own[i] > 0 && !std::isnan(p[i])) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(p[i] / own[i], i); });
  std::vector<bool> fails(p.size(), false);
  // Metrics without a p still hold their share: a missing answer gives nothing to the others.
  double left = total(own);
  for (std::size_t i : order) {
    if (p[i] > rate * own[i] / left) break;
    fails[i] = true;
    left -= own[i];
  }
  return fails;
}

std::vector<bool> discover_by_e_values(double rate, std::span<const double> log_e) {
  std::vector<std::size_t> order(log_e.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto value = [&](std::size_t i) { return std::isnan(log_e[i]) ? -INFINITY : log_e[i]; };
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(-value(i), i); });
  const double count = static_cast<double>(log_e.size());
  std::size_t found = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const double needed = std::log(count / (static_cast<double>(k + 1) * rate));
    if (value(order[k]) >= needed) found = k + 1;
  }
  std::vector<bool> named(log_e.size(), false);
  for (std::size_t k = 0; k < found; ++k) named[order[k]] = true;
  return named;
}

}  // namespace slipway::judge
