#pragma once

#include "analysis/compare/look_state.h"
#include "analysis/compare/settings.h"
#include "judge/sequential/tau.h"

// Judges the points of one look, fresh or recorded. Pure. Private to comparing and replaying.
namespace slipway::analysis {

// Points of the sides from before the run, evenly spaced.
struct Before {
  judge::Series control = {}, experiment = {};
  std::vector<judge::Counted> counted = {};  // of the control, where it has an exposure
  double step = 0;                           // seconds from one to the next
};

struct Look {
  const api::argo::AnalysisRun& run;
  std::size_t metric = 0;
  Settings settings = {};
  LookState state = {};
  Time started = {}, now = {};
  double step = 0;     // seconds between points of the look
  Before before = {};  // what could be learned from, when it was asked for

  const api::argo::Metric& asked() const { return run.spec.metrics[metric]; }
};

// What the method of a look can make use of.
Wanted wanted_by(const Look& look);

Looked judge_samples(Look look, const Samples& samples);

// Whether a metric says that there is nothing to compare with yet; and what a look is then.
bool has_no_control(const api::argo::CompareMetric& compare);

// A look of a comparison that accumulates for which no new point has come, so that nothing is
// judged. It keeps its state; the last planned one is Inconclusive when the others were too little.
Looked without_new_point(Look look);

// A look that tells nothing new and is no failure; neither state nor samples.
Looked passed_over(Time started, Time now, std::string message);

}  // namespace slipway::analysis
