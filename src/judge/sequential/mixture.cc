#include "judge/sequential/mixture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "judge/normal.h"

namespace slipway::judge {
namespace {

constexpr int kMaxBisections = 100;

double log_cdf(double z) {
  if (z > -30) return std::log(normal_cdf(z));
  // Further out the tail underflows; its first asymptotic term is right to a thousandth there.
  return -0.5 * z * z - std::log(-z) - 0.5 * std::log(2 * std::numbers::pi);
}

}  // namespace

double mixing_variance(double tuned_for, double alpha) {
  // From alpha = 1/2 on the logarithm would turn negative; such a test rejects at once anyway.
  const double bits = 2 * std::log(1 / std::min(2 * alpha, 0.99));
  return tuned_for / (bits + std::log(1 + bits));
}

double log_mixture_above(double s, double v, double rho) {
  const double total = v + rho;
  return 0.5 * std::log(4 * rho / total) + s * s / (2 * total) + log_cdf(s / std::sqrt(total));
}

double log_mixture_either(double s, double v, double rho) {
  const double total = v + rho;
  return 0.5 * std::log(rho / total) + s * s / (2 * total);
}

double log_mean(double a, double b) {
  const std::array<double, 2> both = {a, b};
  return log_mean(both);
}

double log_mean(std::span<const double> logs) {
  const double top = *std::ranges::max_element(logs);
  if (!std::isfinite(top)) return top;
  double sum = 0;
  for (double log : logs) sum += std::exp(log - top);
  return top + std::log(sum / static_cast<double>(logs.size()));
}

double log_with_restarts(double whole, std::span<const double> restarts, int looks) {
  double top = std::max(whole, 0.0);
  for (double log : restarts) top = std::max(top, log);
  double sum = 0;
  for (double log : restarts) sum += std::exp(log - top);
  const auto taken = static_cast<int>(restarts.size());
  if (looks > taken) sum += (looks - taken) * std::exp(-top);
  const double starts = std::max(looks, taken);
  return top + std::log(0.5 * std::exp(whole - top) + 0.5 * sum / starts);
}

double mixture_bound(double v, double rho, double alpha) {
  const double wanted = std::log(1 / alpha);
  double low = -std::sqrt(v + rho);
  double high = std::sqrt(v + rho);
  while (log_mixture_above(high, v, rho) < wanted) high *= 2;
  for (int i = 0; i < kMaxBisections && high - low > 1e-12 * high; ++i) {
    const double middle = (low + high) / 2;
    (log_mixture_above(middle, v, rho) < wanted ? low : high) = middle;
  }
  return high;
}

}  // namespace slipway::judge
