#include "analysis/report/sparkline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace slipway::analysis::report {

namespace {

constexpr std::string_view kBars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::size_t kHeights = std::size(kBars);
constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

// Halves are added, so that the mean of two large numbers is no infinity.
double mean_of(std::span<const double> values) {
  double mean = 0;
  std::size_t count = 0;
  for (const double value : values)
    if (std::isfinite(value)) {
      ++count;
      const double share = 1 / static_cast<double>(count);
      mean = mean * (1 - share) + value * share;
    }
  return count > 0 ? mean : kMissing;
}

std::vector<double> shared_out(std::span<const double> values, std::size_t width) {
  if (values.size() <= width) return {values.begin(), values.end()};
  std::vector<double> means;
  for (std::size_t bar = 0; bar < width; ++bar) {
    const std::size_t begin = bar * values.size() / width;
    const std::size_t end = (bar + 1) * values.size() / width;
    means.push_back(mean_of(values.subspan(begin, end - begin)));
  }
  return means;
}

}  // namespace

std::string sparkline(std::span<const double> values, std::size_t width) {
  const auto bars = shared_out(values, width);
  double least = std::numeric_limits<double>::infinity();
  double most = -least;
  for (const double value : bars)
    if (std::isfinite(value)) {
      least = std::min(least, value);
      most = std::max(most, value);
    }
  std::string text;
  for (const double value : bars) {
    if (!std::isfinite(value)) {
      text += ' ';
      continue;
    }
    const double half_range = most / 2 - least / 2;
    const double part = half_range > 0 ? (value / 2 - least / 2) / half_range : 0.45;
    const auto height = static_cast<std::size_t>(part * static_cast<double>(kHeights - 1) + 0.5);
    text += kBars[std::min(height, kHeights - 1)];
  }
  return text;
}

}  // namespace slipway::analysis::report
