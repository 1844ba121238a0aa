#include "judge/sequential/engine.h"

#include <cmath>

namespace slipway::judge {

double with_margin(double value, double margin) { return value + margin * std::abs(value); }

Past last_sums(const State& state) {
  Past sums = state.past.empty() ? Past{} : state.past.back();
  sums.boundary = 0;
  return sums;
}

void keep(State& state, std::span<const double> control, std::span<const double> experiment) {
  auto newest = [](std::span<const double> points) {
    return points.size() > kMaxKept ? points.last(kMaxKept) : points;
  };
  control = newest(control);
  experiment = newest(experiment);
  state.control.insert(state.control.end(), control.begin(), control.end());
  state.experiment.insert(state.experiment.end(), experiment.begin(), experiment.end());
  state.kept_sizes.push_back(control.size());
  state.kept_sizes.push_back(experiment.size());
  std::size_t looks = 0;
  std::size_t n = 0;
  std::size_t m = 0;
  while (state.control.size() - n > kMaxKept || state.experiment.size() - m > kMaxKept) {
    n += state.kept_sizes[looks];
    m += state.kept_sizes[looks + 1];
    looks += 2;
  }
  auto forget = [](auto& values, std::size_t count) {
    values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  };
  forget(state.control, n);
  forget(state.experiment, m);
  forget(state.kept_sizes, looks);
}

}  // namespace slipway::judge
