#pragma once

#include "analysis/pipecd/config.h"

// What makes an analysis worthless although PipeCD takes it: warnings, and errors where every
// evaluation is going to fail.
namespace slipway::analysis::pipecd {

void advise(const Application& application, Report& report);
void advise(const TemplateSet& templates, Report& report);
void advise(const std::vector<AnalysisProvider>& providers, Report& report);

// One metric by itself. `duration` of its stage; zero: not known. `app_args` that every analysis of
// the application gets; null: whoever uses the template gives others.
void advise_metric(const MetricCheck& metric, Duration duration, const Args* app_args,
                   Report& report);

// The longest range a PromQL query looks back over (`[10m]`, `[1h30m:1m]`); zero without one.
Duration longest_range(std::string_view query);

}  // namespace slipway::analysis::pipecd
