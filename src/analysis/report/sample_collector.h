#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/report/evidence.h"

namespace slipway::analysis::report {

inline constexpr std::size_t kMaxSeries = 16;             // of one metric; more are not shown
inline constexpr std::size_t kMaxSeriesPoints = 100'000;  // of one series; the newest are kept

// Puts the points of a metric's measurements together. Neighbouring looks may share points: each
// time counts once, the newer measurement's value wins.
class SampleCollector {
 public:
  // `samples` of a measurement, {"control":[[seconds,value],…],"experiment":[…]}, or of a score,
  // {"pairs":[{"name":…,"control":…}]}. False when it holds no series.
  bool add(const json::Value& samples);
  // Of a measurement without samples: its numbers, at the time it was taken.
  void add_values(double seconds, const std::vector<double>& values);

  // control first, then experiment, then others in the order they came.
  std::vector<SampleSeries> take();

 private:
  using Points = std::map<double, double>;
  bool add_sides(const std::string& prefix, const json::Object& sides);
  bool add_series(std::string name, const json::Array& points);
  Points* points_of(const std::string& name);

  std::vector<std::pair<std::string, Points>> series_;
};

}  // namespace slipway::analysis::report
