#pragma once

#include <span>
#include <vector>

#include "base/time.h"
#include "judge/sequential/plan.h"

// Which engine fits the data, and how series become what an engine reads.
namespace slipway::judge {

// One series of a metric, oldest first.
struct Series {
  std::vector<double> times = {};  // seconds
  std::vector<double> values = {};
};

// Events over requests tell most, then whole distributions, then pairs; series on different clocks
// (PREVIOUS) leave the stratified ranks.
enum class Material { kSeries, kCounts, kDistribution };
Engine choose_engine(Material material, const Series& control, const Series& experiment);
Engine choose_engine(Material material, bool aligned);

// Whether most points of the shorter side have a partner at the same time. Times agree up to a
// tenth of the least step.
bool aligned(const Series& control, const Series& experiment);

// Points at the same time side by side, the others left out: what signed-rank reads.
Evidence pair_up(const Series& control, const Series& experiment);

// The mean of several series at each time. Pods of one version are no independent witnesses, and
// their points put one after the other would count as such.
Series mean_by_time(std::span<const Series> series);

// How many looks a stage has: duration / interval, at least 1, at most kMaxLooks.
int planned_looks(Duration duration, Duration interval);

}  // namespace slipway::judge
