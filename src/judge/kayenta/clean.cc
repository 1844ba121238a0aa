#include "judge/kayenta/clean.h"

#include <algorithm>
#include <cmath>

#include "judge/points.h"
#include "judge/ranks.h"

namespace slipway::judge::kayenta {

namespace {

std::vector<double> without_outliers(const std::vector<double>& points, double factor,
                                     double tolerance) {
  if (points.empty()) return points;
  auto ascending = points;
  std::ranges::sort(ascending);
  const double q1 = percentile(ascending, 25);
  const double q3 = percentile(ascending, 75);
  const double lower = std::min(percentile(ascending, 1), q1 - factor * (q3 - q1));
  const double upper = std::max(percentile(ascending, 99), q3 + factor * (q3 - q1));
  std::vector<double> out;
  for (double point : points)
    if ((point >= lower || tied(point, lower, tolerance)) &&
        (point <= upper || tied(point, upper, tolerance)))
      out.push_back(point);
  return out;
}

}  // namespace

std::vector<double> cleaned(std::span<const double> points, const Metric& metric) {
  std::vector<double> out;
  if (metric.nan_strategy == NanStrategy::kReplace) {
    out.assign(points.begin(), points.end());
    std::ranges::replace_if(out, [](double v) { return std::isnan(v); }, 0.0);
  } else {
    out = without_nan(points);
  }
  if (!metric.remove_outliers) return out;
  return without_outliers(out, metric.outlier_factor,
                          metric.solver == Solver::kExact ? kTieTolerance : 0);
}

double percentile(std::span<const double> ascending, double p) {
  const double at = static_cast<double>(ascending.size() - 1) * p / 100;
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, ascending.size() - 1);
  const double low = ascending[below];
  if (ascending[above] == low) return low;
  return low + (at - static_cast<double>(below)) * (ascending[above] - low);
}

Summary summarise(std::span<const double> points) {
  if (points.empty()) return {};
  const auto [least, largest] = std::ranges::minmax(points);
  const double middle = mean(points);
  double squares = 0;
  for (double point : points) squares += (point - middle) * (point - middle);
  const auto count = static_cast<double>(points.size());
  return {.min = least,
          .max = largest,
          .mean = middle,
          .std = points.size() == 1 ? 0 : std::sqrt(squares / (count - 1)),
          .count = points.size()};
}

}  // namespace slipway::judge::kayenta
