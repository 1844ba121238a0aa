#pragma once

#include "analysis/compare/judge_samples.h"
#include "judge/answer.h"
#include "judge/calibrate.h"

// Comparing with another time: hours and weeks differ without any release, so a failure counts only
// where comparisons of two such times hardly ever reach as much. Pure. Private to comparing.
namespace slipway::analysis {

// A failure that does not exceed the yardstick of the state is inconclusive. Where there is none
// the reason says why.
void hold_against_placebos(Look& look, const judge::Plan& plan, judge::Answer& answer);

// The peak that is to be exceeded for a chance of at most `alpha`, or as near as the runs allow.
double placebo_limit(const judge::Calibration& calibration, double alpha);

}  // namespace slipway::analysis
