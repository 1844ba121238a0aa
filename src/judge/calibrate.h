#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "judge/season.h"
#include "judge/sequential/plan.h"

// Comparing with an earlier time, fairly: what the same comparison gives when nothing was deployed
// is the yardstick. What a week usually does is better taken out before: season.h.
namespace slipway::judge {

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
