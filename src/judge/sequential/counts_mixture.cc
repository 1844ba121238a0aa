#include <algorithm>
#include <array>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <vector>

#include "judge/sequential/counts.h"
#include "judge/sequential/engine.h"
#include "judge/sequential/mixture.h"

namespace slipway::judge {
namespace {

constexpr std::array<double, 4> kConcentrations = {1, 10, 100, 1000};

// Log rate ratios that are bet on, each as likely: from 0.2 % to 55 times, evenly in their
// logarithm. When a ratio can just be told from none, its likelihood is about a quarter of it wide,
// so steps of a fifth lose next to nothing.
constexpr std::size_t kRatios = 40;
constexpr double kLeastRatio = 0.002;
constexpr double kLargestRatio = 4;

const std::array<double, kRatios>& log_ratios() {
  static const std::array<double, kRatios> kAll = [] {
    std::array<double, kRatios> all{};
    const double step = std::pow(kLargestRatio / kLeastRatio, 1.0 / (kRatios - 1));
    double ratio = kLeastRatio;
    for (double& one : all) {
      one = ratio;
      ratio *= step;
    }
    return all;
  }();
  return kAll;
}

double log_beta(double a, double b) { return std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b); }

// log P(share > p) under Beta(a, b). Where the chance itself is no double, its first term, which is
// less: a bet may be understated, never overstated.
double log_beta_above(double a, double b, double p) {
  const double above = boost::math::ibetac(a, b, p);
  if (above > 1e-290) return std::log(above);
  return b * std::log1p(-p) + a * std::log(p) - std::log(b) - log_beta(a, b);
}

double log_beta_one(double experiment, double control, double share, double c, bool cut) {
  const double a = c * share;
  const double b = c * (1 - share);
  double log_m = log_beta(a + experiment, b + control) - log_beta(a, b) -
                 experiment * std::log(share) - control * std::log1p(-share);
  if (cut) {
    log_m += log_beta_above(a + experiment, b + control, share) - log_beta_above(a, b, share);
  }
  return log_m;
}

// For each ratio, the log likelihood ratio of one window against `null`.
void add_window(std::array<double, kRatios>& logs, const CountWindow& window, double null,
                double sign) {
  const double share = experiment_share(window, null);
  for (std::size_t i = 0; i < kRatios; ++i) {
    const double other = experiment_share(window, null + sign * log_ratios()[i]);
    if (window.experiment > 0) logs[i] += window.experiment * std::log(other / share);
    if (window.control > 0) logs[i] += window.control * std::log((1 - other) / (1 - share));
  }
}

double log_grid(std::span<const CountWindow> windows, double null, double sign) {
  std::array<double, kRatios> logs{};
  for (const CountWindow& window : windows) add_window(logs, window, null, sign);
  return log_mean(logs);
}

double log_grid_either(std::span<const CountWindow> windows, double margin, Direction direction) {
  switch (direction) {
    case Direction::kIncrease:
      return log_grid(windows, margin, 1);
    case Direction::kDecrease:
      return log_grid(windows, -margin, -1);
    case Direction::kEither:
      return log_mean(log_grid(windows, margin, 1), log_grid(windows, -margin, -1));
  }
  return 0;
}

// Windows from the beginning whose exposures stand in the same proportion.
std::size_t constant_share(std::span<const CountWindow> windows) {
  const double first = experiment_share(windows[0], 0);
  std::size_t count = 1;
  while (count < windows.size() &&
         std::abs(experiment_share(windows[count], 0) - first) <= 1e-9 * first) {
    ++count;
  }
  return count;
}

double log_beta_whole(std::span<const CountWindow> windows, double margin, Direction direction) {
  const CountWindow sum = total(windows);
  if (direction == Direction::kEither && margin == 0) {
    return log_beta_mixture(sum.experiment, sum.control, experiment_share(windows[0], 0),
                            direction);
  }
  auto one = [&](bool up) {
    const double share = experiment_share(windows[0], up ? margin : -margin);
    return up ? log_beta_mixture(sum.experiment, sum.control, share, Direction::kIncrease)
              : log_beta_mixture(sum.control, sum.experiment, 1 - share, Direction::kIncrease);
  };
  if (direction == Direction::kEither) return log_mean(one(true), one(false));
  return one(direction == Direction::kIncrease);
}

}  // namespace

double log_beta_mixture(double experiment, double control, double share, Direction direction) {
  std::array<double, kConcentrations.size()> logs{};
  for (std::size_t i = 0; i < logs.size(); ++i) {
    logs[i] = direction == Direction::kDecrease
                  ? log_beta_one(control, experiment, 1 - share, kConcentrations[i], true)
                  : log_beta_one(experiment, control, share, kConcentrations[i],
                                 direction == Direction::kIncrease);
  }
  return log_mean(logs);
}

// While the exposures keep their proportion the beta mixture is the best bet known. From where they
// leave it, the bet goes on with the same stake over a grid of rate ratios, which needs no constant
// share; one martingale continued by another is a martingale.
double log_counts_mixture(const Plan& plan, std::span<const CountWindow> windows, double margin,
                          Direction direction) {
  if (windows.empty()) return 0;
  const double log_margin = std::log1p(margin);
  const auto constant = windows.first(constant_share(windows));
  double log_m = log_beta_whole(constant, log_margin, direction);
  if (constant.size() < windows.size()) {
    log_m += log_grid_either(windows, log_margin, direction) -
             log_grid_either(constant, log_margin, direction);
  }
  return log_m / plan.tau;
}

std::vector<double> log_counts_restarts(const Plan& plan, std::span<const CountWindow> windows,
                                        std::size_t starts) {
  const double margin = std::log1p(plan.margin);
  std::array<double, kRatios> up{};
  std::array<double, kRatios> down{};
  std::vector<double> logs(windows.size());
  // From the newest window backwards: each start has one window more than the one after it.
  for (std::size_t start = windows.size(); start-- > 0;) {
    double log_m = 0;
    if (plan.direction != Direction::kDecrease) {
      add_window(up, windows[start], margin, 1);
      log_m = log_mean(up);
    }
    if (plan.direction != Direction::kIncrease) {
      add_window(down, windows[start], -margin, -1);
      log_m =
          plan.direction == Direction::kEither ? log_mean(log_m, log_mean(down)) : log_mean(down);
    }
    logs[start] = log_m / plan.tau;
  }
  logs.resize(std::min(starts, logs.size()));
  return logs;
}

}  // namespace slipway::judge
