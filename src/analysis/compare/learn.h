#pragma once

#include <span>

#include "analysis/compare/judge_samples.h"

// What was before a run teaches how its points are to be taken: how many say as much as one, what
// the week usually does, and what comparisons of two such times give without any release. Learned
// once, at the first look that is judged, and kept in its state as a few numbers. Pure. Private to
// comparing.
namespace slipway::analysis {

// Of two sides of one time: tau, of the differences before; of counts, of how much more than by
// chance the control's varied. Of another time: the season, tau
// of what neighbours share, and placebos, from a history of at least a week (asked for, or
// `recorded`) that has room for judge::kMinPlacebos of them; with room for placebos alone, those;
// else `state.uncalibrated` says why not. Leaves a state that has learned alone, but for placebos
// that were run for another plan.
void learn(Look& look, judge::Engine engine, const Samples& samples);

// The plan with this engine, and the tau that was learned.
judge::Plan plan_with_learned(const Look& look, judge::Engine engine);

// Points without the season that was learned.
Samples without_season(const Look& look, const Samples& samples);

// Several answers of one side as one series, oldest first; several series are averaged at each
// time.
judge::Series series_of_history(std::span<const metrics::Answer> answers);

}  // namespace slipway::analysis
