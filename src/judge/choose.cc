#include "judge/choose.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"

namespace slipway::judge {
namespace {

constexpr double kMostly = 0.8;
constexpr double kShareOfStep = 0.1;

double least_step(const Series& series) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < series.times.size(); ++i) {
    const double step = series.times[i] - series.times[i - 1];
    if (step > 0) least = std::min(least, step);
  }
  return least;
}

double tolerance(const Series& control, const Series& experiment) {
  const double step = std::min(least_step(control), least_step(experiment));
  return std::isfinite(step) ? kShareOfStep * step : 0;
}

template <class Visit>
void each_pair(const Series& control, const Series& experiment, const Visit& visit) {
  SLIPWAY_ASSERT(control.times.size() == control.values.size());
  SLIPWAY_ASSERT(experiment.times.size() == experiment.values.size());
  const double near = tolerance(control, experiment);
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < control.times.size() && k < experiment.times.size()) {
    const double apart = control.times[i] - experiment.times[k];
    if (std::abs(apart) <= near) {
      visit(i++, k++);
    } else {
      ++(apart < 0 ? i : k);
    }
  }
}

}  // namespace

bool aligned(const Series& control, const Series& experiment) {
  const std::size_t shorter = std::min(control.times.size(), experiment.times.size());
  std::size_t pairs = 0;
  each_pair(control, experiment, [&](std::size_t, std::size_t) { ++pairs; });
  return shorter > 0 && static_cast<double>(pairs) >= kMostly * static_cast<double>(shorter);
}

Engine choose_engine(Material material, bool on_same_times) {
  switch (material) {
    case Material::kCounts:
      return Engine::kCounts;
    case Material::kDistribution:
      return Engine::kDistribution;
    case Material::kSeries:
      return on_same_times ? Engine::kSignedRank : Engine::kStratifiedRank;
  }
  return Engine::kStratifiedRank;
}

Engine choose_engine(Material material, const Series& control, const Series& experiment) {
  return choose_engine(material, aligned(control, experiment));
}

Evidence pair_up(const Series& control, const Series& experiment) {
  Evidence evidence;
  each_pair(control, experiment, [&](std::size_t i, std::size_t k) {
    evidence.control.points.push_back(control.values[i]);
    evidence.experiment.points.push_back(experiment.values[k]);
  });
  return evidence;
}

Series mean_by_time(std::span<const Series> series) {
  std::vector<std::pair<double, double>> points;
  double near = std::numeric_limits<double>::infinity();
  for (const Series& one : series) {
    SLIPWAY_ASSERT(one.times.size() == one.values.size());
    near = std::min(near, kShareOfStep * least_step(one));
    for (std::size_t i = 0; i < one.times.size(); ++i) {
      if (!std::isnan(one.values[i])) points.emplace_back(one.times[i], one.values[i]);
    }
  }
  if (!std::isfinite(near)) near = 0;
  std::ranges::sort(points);
  Series mean;
  for (std::size_t i = 0; i < points.size();) {
    double sum = 0;
    const std::size_t first = i;
    for (; i < points.size() && points[i].first - points[first].first <= near; ++i) {
      sum += points[i].second;
    }
    mean.times.push_back(points[first].first);
    mean.values.push_back(sum / static_cast<double>(i - first));
  }
  return mean;
}

int planned_looks(Duration duration, Duration interval) {
  if (interval <= Duration::zero()) return 1;
  return static_cast<int>(std::clamp<std::int64_t>(duration / interval, 1, kMaxLooks));
}

}  // namespace slipway::judge
