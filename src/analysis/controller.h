#pragma once

#include <map>
#include <memory>

#include "analysis/arguments.h"
#include "analysis/measure.h"
#include "control/events.h"
#include "control/manager.h"

namespace slipway::analysis {

// Carries AnalysisRuns out: what is due is measured, and measurements, counters, the judges' state
// and the verdict go into the status in one write, or not at all. A write that finds another status
// than the one measured from is given up, together with its measurements.
class AnalysisRunReconciler final : public control::Reconciler {
 public:
  static inline const api::Gvr kKind{"argoproj.io", "v1alpha1", "analysisruns"};
  static constexpr int kWorkers = 8192;  // a worker waits for its run's providers
  static constexpr int kMaxWrites = 5;   // of one status, while others write the object
  static control::ControllerOptions options();

  AnalysisRunReconciler(control::Manager& manager, control::Recorder& recorder, Measurer& measurer);

  slipway::Task<Result<control::Outcome>> reconcile(store::Key key) override;
  // Measurements under way end early and are not recorded: whoever runs next takes them anew.
  void request_stop() { stop_.request_stop(); }

 private:
  // What is known of a run that goes on, so that a look at it before its time costs next to
  // nothing.
  struct Known {
    store::Version version = 0;  // the newest we have seen or written
    std::optional<Time> next = {};
  };
  // A run as one look finds it.
  struct Look {
    store::Key key = {};
    store::Version version = 0;
    json::Value document = {};
    std::shared_ptr<api::argo::AnalysisRun> run = {};  // shared with the measurer; read-only then
    RunRules rules = {};
    Arguments arguments = {};
    Redactor redactor = {};
    std::string uid = {};     // set by the first write, as is
    json::Value before = {};  // the status it found
    Kept kept_jobs = {};      // of its metrics of which an older one goes
  };

  slipway::Task<Result<std::optional<store::Item>>> read(store::Key key);
  slipway::Task<Result<control::Outcome>> carry_on(Look look);
  slipway::Task<Result<control::Outcome>> expire(Look look);
  slipway::Task<Result<std::shared_ptr<const api::argo::AnalysisRun>>> with_secrets(Look& look);
  slipway::Task<Result<control::Outcome>> conclude(Look look, Assessment assessment, bool changed);
  slipway::Task<Result<>> read_again(Look& look);
  slipway::Task<Result<store::Version>> write_status(Look& look,
                                                     const api::argo::AnalysisRunStatus& status);
  control::Outcome wait_until(const Look& look, std::optional<Time> next);

  control::Manager& manager_;
  control::Recorder& recorder_;
  Measurer& measurer_;
  std::stop_source stop_;
  std::map<store::Key, Known> known_;
};

}  // namespace slipway::analysis
