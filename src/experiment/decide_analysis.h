#pragma once

#include "experiment/plan.h"
#include "experiment/seen.h"

// One analysis of an Experiment: its run. Pure.
namespace slipway::experiment {

using api::argo::ExperimentAnalysisTemplateRef;

// Adds actions, the analysis' status and what has happened to `plan`.
void decide_analysis(const Identity& who, const Experiment& experiment, const Observed& observed,
                     const ExperimentAnalysisTemplateRef& analysis, Plan& plan);

// When an Experiment that gets available in `second` is said to be so: runs of a retry in the same
// second must not be taken for those of the attempt before.
Time after_attempts(const Observed& observed, Time second);

// Runs that nothing comes of any more are told to end: of analyses that the spec no longer has,
// which are forgotten, and those that the status does not name and no analysis waits for.
void decide_strays(const Identity& who, const Experiment& experiment, const Observed& observed,
                   Plan& plan);

// Those whose templates are to be looked for: nothing is measured yet, but an Experiment that
// cannot be judged should not begin.
std::vector<ExperimentAnalysisTemplateRef> to_verify(const Experiment& experiment);

// Observed::analysis_failures, in Argo's words.
std::string verification_failed(const ExperimentAnalysisTemplateRef& analysis, const Error& why);
std::string creation_failed(const std::string& analysis, const Error& why);

}  // namespace slipway::experiment
