#pragma once

#include "analysis/compare/judge_samples.h"
#include "judge/answer.h"
#include "judge/calibrate.h"

// Comparing with another time: hours and weeks differ without any release, so a failure counts only
// where comparisons of two such times hardly ever reach as much. Pure. Private to comparing.
namespace slipway::analysis {

// Works out the yardstick at the first look, from what the control's `recorded` holds, and notes it
// in the state; a failure that does not exceed it is inconclusive. Where there is none, a week of
// points with room for judge::kMinPlacebos runs being needed, the reason says why. Leaves
// comparisons of one time alone.
void hold_against_placebos(Look& look, const judge::Plan& plan, judge::Answer& answer);

// The peak that is to be exceeded for a chance of at most `alpha`, or as near as the runs allow.
double placebo_limit(const judge::Calibration& calibration, double alpha);

}  // namespace slipway::analysis
