#include "judge/effect.h"

#include <numeric>

#include "judge/estimate.h"

namespace slipway::judge {

double mean(std::span<const double> values) {
  if (values.empty()) return Effect::kUnknown;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double mean_ratio(std::span<const double> control, std::span<const double> experiment) {
  const double base = mean(control);
  return base == 0 ? Effect::kUnknown : mean(experiment) / base;
}

double cles(double u, std::size_t control, std::size_t experiment) {
  if (control == 0 || experiment == 0) return Effect::kUnknown;
  return u / (static_cast<double>(control) * static_cast<double>(experiment));
}

Effect effect_of(std::span<const double> control, std::span<const double> experiment,
                 double confidence) {
  return effect_of(rank_pooled(control, experiment), confidence);
}

Effect effect_of(const Pooled& pooled, double confidence) {
  if (pooled.control.empty() || pooled.experiment.empty()) return {};
  const auto estimate = estimate_shift(pooled, confidence);
  return {.ratio = mean_ratio(pooled.control, pooled.experiment),
          .cles = cles(pooled.u, pooled.control.size(), pooled.experiment.size()),
          .shift = estimate.shift,
          .low = estimate.low,
          .high = estimate.high};
}

}  // namespace slipway::judge
