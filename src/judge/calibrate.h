#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "judge/choose.h"
#include "judge/sequential/plan.h"

// Comparing with an earlier time, fairly: what a week usually does is taken out, and what the same
// comparison gives when nothing was deployed is the yardstick.
namespace slipway::judge {

inline constexpr double kWeekSeconds = 7 * 24 * 3600;
inline constexpr std::size_t kMaxHistoryPoints = 200'000;

// The values less what is usual at their minute of the week: the median of the history within half
// an hour of the same time of earlier weeks (up to four). When all of both is positive, values are
// divided by the usual and multiplied by the history's median, so that relative margins keep their
// meaning. A point without usual stays out. Nothing when the history spans less than a week.
std::optional<Series> without_season(const Series& series, const Series& history);

// The same comparison at times when nothing was deployed.
struct PlaceboPlan {
  double offset = 0;  // seconds from the control's look back to the experiment's; above 0
  double look = 0;    // seconds a look lasts
  double lead = 0;    // seconds more of the first look: it has the points at both its ends
  int looks = 0;
  // Spans in which something was deployed: no placebo touches them.
  std::vector<std::pair<double, double>> deployments = {};
  std::size_t runs = 199;  // placebos wanted
};
inline constexpr std::size_t kMinPlacebos = 99;
inline constexpr std::size_t kMaxPlacebos = 999;

struct Calibration {
  std::vector<double> peaks = {};  // of each placebo, ascending: the largest z of all its looks
};

// Runs the plan over the history at evenly spread times. kUnavailable when fewer than kMinPlacebos
// fit.
Result<Calibration> calibrate(const Plan& plan, const Series& history, const PlaceboPlan& placebos);

// The chance of a peak as high as `peak`, the largest z so far in the plan's direction. Over all
// looks of a run it is at most alpha with chance alpha, whatever season, autocorrelation and bias
// do.
double placebo_p(const Calibration& calibration, double peak);

// The z that counts for a direction: itself, its negative, or its size.
double directed(Direction direction, double z);

}  // namespace slipway::judge
