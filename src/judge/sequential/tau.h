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

inline constexpr std::size_t kMinWindows = 30;

// How much more counts of equal windows vary than by chance: variance / mean where that is above 1
// by more than two standard errors, else 1. Nothing under kMinWindows windows that are not NaN, or
// without events.
std::optional<double> dispersion_of_history(std::span<const double> events);

}  // namespace slipway::judge
