#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "base/error.h"
#include "base/time.h"

// How much less independent points say than their number: tau points count as one.
namespace slipway::judge {

inline constexpr std::size_t kMaxQueryBytes = 64 * 1024;

// The longest range selector of a PromQL text, `[5m]` or the range of a subquery `[30m:1m]`; 0 when
// there is none. Strings and comments are not looked into; brackets that hold no duration (a
// template not yet rendered) are passed over. kTooLarge over kMaxQueryBytes.
Result<Duration> longest_range(std::string_view promql);

// max(1, range / step): points closer together than the range they average share most of it.
double range_over_step(Duration range, Duration step);

inline constexpr std::size_t kMinHistory = 240;
inline constexpr std::size_t kMaxHistory = 100'000;

// The integrated autocorrelation time of evenly spaced points, by ranks, plus one standard error;
// at least 1. Of a comparison of pairs, give the differences. Nothing under kMinHistory points that
// are not NaN; of more than kMaxHistory the newest count.
std::optional<double> tau_of_history(std::span<const double> points);

// What counts for a comparison: the largest of 1, what is known (range / step, or told), and what a
// history shows. That is the median over stretches of kMinHistory points, back from the newest, and
// one standard error: a level that changed once, as releases change it, is no autocorrelation.
double tau_with_history(double known, std::span<const double> points);

// Events of a stretch of time, and what they are counted against.
struct Counted {
  double events = 0;
  double exposure = 0;
};
inline constexpr std::size_t kMinPairs = 30;

// How much more counts vary from a window to its neighbour than by chance, plus one standard error,
// where that is above 1 by more than two; else 1. The day's course is in both of a pair, and the
// median over stretches of kMinPairs pairs counts, so neither it nor one incident is a variation.
// 1 too with fewer pairs that have events.
double dispersion_of(std::span<const Counted> windows);

// What counts for a comparison of counts: the largest of 1, what is known, and the dispersion of
// windows of one step and of `steps_a_look`: what comes in bursts shows in longer ones only.
double tau_with_counts(double known, std::span<const Counted> steps, std::size_t steps_a_look);

}  // namespace slipway::judge
