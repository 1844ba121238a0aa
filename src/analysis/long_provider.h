#pragma once

#include <stop_token>

#include "analysis/run_rules.h"
#include "api/kinds/argo_analysis.h"
#include "async/task.h"

namespace slipway::analysis {

// A provider whose measurement takes longer than one question: a Job, a Kayenta server.
//
// Stateless: what it needs to find its work again is in the measurement's metadata. Never fails: an
// error is a measurement of phase Error. `metric` is an index into the spec's metrics, whose
// arguments are resolved; `last` is the metric's last measurement, which is not completed.
class LongProvider {
 public:
  virtual ~LongProvider() = default;

  // Running, with metadata and perhaps `resume_at`; or completed already.
  virtual slipway::Task<api::argo::Measurement> start(api::argo::AnalysisRun run,
                                                      std::size_t metric, std::stop_token stop) = 0;
  // Further on. A restart between `start` and the write of its measurement leads to another
  // `start`, which finds what was begun where the provider can.
  virtual slipway::Task<api::argo::Measurement> resume(api::argo::AnalysisRun run,
                                                       std::size_t metric,
                                                       api::argo::Measurement last,
                                                       std::stop_token stop) = 0;
  // Ends the work. The measurement is completed: `Metric Terminated`; or as it was, to be asked
  // again.
  virtual slipway::Task<api::argo::Measurement> terminate(api::argo::AnalysisRun run,
                                                          std::size_t metric,
                                                          api::argo::Measurement last,
                                                          std::stop_token stop) = 0;
  // Deletes what belongs to all but the newest measurements that are kept, and is over.
  virtual slipway::Task<Result<>> collect(api::argo::AnalysisRun run, Kept kept,
                                          std::stop_token stop) = 0;
};

// Whether asking again may help.
bool is_passing(const Error& error);
// The measurement, over: an error, or `Metric Terminated`.
api::argo::Measurement failed_with(const Error& error, api::argo::Measurement measurement,
                                   Time now);
api::argo::Measurement terminated(api::argo::Measurement measurement, Time now);

}  // namespace slipway::analysis
