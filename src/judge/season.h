#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "judge/choose.h"

// What a week usually does, and values without it.
namespace slipway::judge {

inline constexpr double kWeekSeconds = 7 * 24 * 3600;
inline constexpr std::size_t kMaxHistoryPoints = 200'000;
inline constexpr std::size_t kMaxUsual = 100;  // of a table that is kept

// What is usual at evenly spaced times: the median of a history within half an hour of the same
// time of earlier weeks (up to four). NaN where it has nothing.
struct Usual {
  double from = 0;  // seconds
  double step = 0;
  std::vector<double> values = {};

  // On the straight line between two of them; before the first and after the last, those.
  double at(double time) const;
};

// How values become values without the usual: less it; or, when all of a history is positive,
// divided by it and multiplied by the history's median, so that relative margins keep their
// meaning.
struct Baseline {
  bool ratios = false;
  double middle = 0;
};

// What a comparison of two times needs to know of the weeks before; small enough to be kept.
struct Season {
  Baseline baseline = {};
  Usual control = {}, experiment = {};
};

// Of a history that spans a week. The tables begin at `control` and `experiment`, last `length`
// seconds and hold at most kMaxUsual values. Nothing when the history is too short or too long
// (kMaxHistoryPoints), or has a gap where the usual of a side is wanted.
std::optional<Season> season_of(const Series& history, double control, double experiment,
                                double length);

// A point without usual stays out.
Series without_usual(const Series& series, const Usual& usual, const Baseline& baseline);

// A series without what is usual in a history, be it that of the series itself: each point knows
// only weeks before it. Nothing when the history spans less than a week.
std::optional<Series> without_season(const Series& series, const Series& history);

// Each value less the mean of the hour around it: what is left knows neither season nor releases,
// only what neighbours share.
Series without_level(const Series& series);

// The values of the times from `from` on and before `to`; times ascend.
std::span<const double> values_between(const Series& series, double from, double to);

}  // namespace slipway::judge
