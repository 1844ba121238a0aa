#pragma once

#include <optional>
#include <span>
#include <vector>

#include "api/kinds/argo_analysis.h"
#include "metrics/provider.h"

// One look of a comparison: what to ask for, and what the answers mean. Pure.
//
// What a comparison knows is in its result's `state`, so a restart neither repeats a look nor
// spends alpha twice. docs/design/0004-comparing.md has the rules.
namespace slipway::analysis {

// Newest points of one side that a look takes. What is judged is what is kept, so that a recorded
// look can be judged again.
inline constexpr std::size_t kMaxSamples = 500;

// What the sides of a comparing (or scoring) metric are asked for at `now`: whole seconds, at most
// kMaxSamples steps. Of a longer range a comparison takes the end, a score all, in longer steps
// than `score_step`. A side with `ago` is asked for what `side_range` gives.
metrics::Range look_range(const api::argo::Metric& metric, const api::argo::MetricResult* so_far,
                          Time started_run, Time now);
// Between the points of a look: a minute, unless the window is shorter.
Duration look_step(const api::argo::Metric& metric);
Duration score_step(const api::argo::ScoreMetric& score);
metrics::Range side_range(const api::argo::CompareSide& side, const metrics::Range& look);

// Whether the side has a source to be asked; one with only a record has none, and its answer is
// empty.
bool has_source(const api::argo::CompareSide& side);

// Until it has judged a look, a comparison also asks for what was before it, to learn from; see
// learn.h. Of a control of another time the weeks before the run; of two sides of one time the
// steps before, of both, or of what is counted those of the control. Whole steps of the look, or
// longer ones where a week has more than kMaxHistorySteps.
inline constexpr std::size_t kMaxHistorySteps = 10'080;  // of a question; Prometheus gives 11,000
inline constexpr int kHistoryWeeks = 4;
inline constexpr std::size_t kPairedHistory = 1440;  // steps
struct HistoryWanted {
  std::vector<metrics::Range> ranges = {};  // newest first
  bool experiment = false;                  // of both sides, not of the control alone
  bool exposure = false;                    // also what the control is counted against
};
// None for methods that judge each look alone, sides with `exposure` of which one is of another
// time or whose method counts nothing, web pages and, of one time, a given tau.
HistoryWanted history_wanted(const api::argo::Metric& metric, const api::argo::MetricResult* so_far,
                             const metrics::Range& look);

struct LookInput {
  metrics::Answer control = {}, experiment = {};
  // Of sides that have `exposure`: the answer to that query.
  std::optional<metrics::Answer> control_exposure = {}, experiment_exposure = {};
  // To `history_wanted`: those that were answered.
  std::vector<metrics::Answer> control_history = {}, experiment_history = {};
  std::vector<metrics::Answer> control_exposure_history = {};
};

struct Looked {
  api::argo::Measurement measurement = {};
  api::FreeForm state = {};  // of the result; empty leaves it
};

// Judges the answers to `look_range(…, started)`. Never fails: what cannot be judged is a
// measurement of phase Error (Failed where the metric's check says that errors fail).
Looked judge_look(const api::argo::AnalysisRun& run, std::size_t metric, const LookInput& input,
                  Time started, Time now);

// The same for provider.score: one input a pair, in the order of `pairs`.
Looked judge_score(const api::argo::AnalysisRun& run, std::size_t metric,
                   std::span<const LookInput> pairs, Time started, Time now);

// A look that could not be taken because a source did not answer.
Looked failed_look(const api::argo::Metric& metric, const Error& error, Time started, Time now);

}  // namespace slipway::analysis
