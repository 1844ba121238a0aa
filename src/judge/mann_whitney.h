#pragma once

#include <span>

#include "judge/answer.h"
#include "judge/ranks.h"

// Mann–Whitney's U test of one look, as PipeCD has it from go-moremath: exact for small samples,
// else normal with tie term and continuity correction.
namespace slipway::judge {

struct MannWhitneyOptions {
  Direction direction = Direction::kEither;
  double alpha = 0.05;  // p at or below it fails
  // The p as released, whatever it is: two-sided it is twice the lower tail of the smaller U, and
  // with ties and sides of different size, where the distribution is not symmetric, may be 0 or
  // above 1. By default it is twice the smaller of both tails, at most 1; without ties the two are
  // the same.
  bool legacy_two_sided = false;
};

// The p of samples already ranked together; 1 when all values are equal. Neither side is empty.
//
// One-sided p are released ones, too: with ties, `increase` also counts the half step below U,
// which is on the careful side. Where p is so near to alpha that rounding decides, it is computed
// by go-moremath's own recurrence: 3 against 3 points never fail at 0.05, there as here.
double mann_whitney_p(const Pooled& pooled, const MannWhitneyOptions& options);

// NaN are missing points. A side without points is inconclusive; all values equal is a pass.
// kInvalid: an alpha outside (0,1), more than kMaxPoints.
Result<Answer> judge_mann_whitney(std::span<const double> control,
                                  std::span<const double> experiment,
                                  const MannWhitneyOptions& options);

}  // namespace slipway::judge
