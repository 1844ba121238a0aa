#pragma once

#include <span>
#include <string>

#include "judge/kayenta/clean.h"
#include "judge/kayenta/metric.h"

// One metric under Kayenta's NetflixACAJudge: cleaned, compared, labelled.
namespace slipway::judge::kayenta {

struct Classification {
  Label label = Label::kNodata;
  bool critical = false;  // the failure is one the whole canary fails by
  double ratio = 1;       // of the means; NaN when one of them is 0
  Summary control = {};   // after cleaning
  Summary experiment = {};
  Answer answer = {};
};

// In Kayenta's order: no data, identical sides, one value only, then the interval of the shift
// against its band, then the effect-size gates. Where Kayenta adds random noise to two constant
// sides, the legacy solver spreads them by normal quantiles of the same width and the exact solver
// needs none.
//
// With the exact solver, too few points for an interval at the confidence asked are labelled Pass,
// as nothing was shown, with an inconclusive verdict.
//
// kInvalid: see check(metric); more than kMaxPoints.
Result<Classification> classify(std::span<const double> control, std::span<const double> experiment,
                                const Metric& metric);

Result<Answer> judge_kayenta(std::span<const double> control, std::span<const double> experiment,
                             const Metric& metric);

}  // namespace slipway::judge::kayenta
