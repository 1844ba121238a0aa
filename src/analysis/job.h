#pragma once

#include "analysis/long_provider.h"
#include "async/loop.h"
#include "store/store.h"

namespace slipway::analysis {

// Argo's job provider: a measurement is a Job of the run's own, and succeeds when it does.
//
// The Job is named after the run and the measurement's number, so that one begun twice, by a
// restart in between, is one. Metadata: job-name, job-namespace.
class JobProvider final : public LongProvider {
 public:
  static constexpr std::size_t kMaxListed = 500;  // Pods of a Job, Jobs of a run in one page
  static constexpr int kMaxPages = 20;            // of Jobs of a run

  // `ns`: where Jobs run, when not beside their run; they have no owner there, and are found by
  // label alone.
  JobProvider(store::Store& store, Clock& clock, std::string ns = {});

  // A store that does not answer is asked whether it made the Job, and again by `resume`.
  slipway::Task<api::argo::Measurement> start(api::argo::AnalysisRun run, std::size_t metric,
                                              std::stop_token stop) override;
  // Comes back after sqrt(2 * seconds since its start). A Pod whose image cannot be had makes the
  // measurement Inconclusive. A store that does not answer is asked again.
  slipway::Task<api::argo::Measurement> resume(api::argo::AnalysisRun run, std::size_t metric,
                                               api::argo::Measurement last,
                                               std::stop_token stop) override;
  // Deletes the Job with its Pods. A store that does not answer leaves it under way.
  slipway::Task<api::argo::Measurement> terminate(api::argo::AnalysisRun run, std::size_t metric,
                                                  api::argo::Measurement last,
                                                  std::stop_token stop) override;
  slipway::Task<Result<>> collect(api::argo::AnalysisRun run, Kept kept,
                                  std::stop_token stop) override;

 private:
  slipway::Task<Result<>> remove(store::Key key);
  // What keeps a Pod of the Job from ever starting; empty when nothing does.
  slipway::Task<Result<std::string>> find_hopeless_pod(json::Object job, std::string ns);
  api::argo::Measurement failed(api::argo::Measurement measurement, const Error& error) const;
  Time now() const;

  store::Store& store_;
  Clock& clock_;
  std::string ns_;
};

// The Job of a metric's next measurement. Pure. kInvalid: the run has no uid.
Result<json::Object> job_of(const api::argo::AnalysisRun& run, std::size_t metric,
                            const std::string& ns);

}  // namespace slipway::analysis
