#pragma once

#include <map>
#include <memory>

#include "analysis/measure.h"
#include "control/events.h"
#include "control/manager.h"

namespace slipway::analysis {

// Carries AnalysisRuns out: what is due is measured, and measurements, counters, the judges' state
// and the verdict go into the status in one write, or not at all. A write that finds another status
// than the one measured from is given up, together with its measurements.
class AnalysisRunReconciler final : public control::Reconciler {
 public:
  static const api::Gvr kKind;
  static control::ControllerOptions options();

  AnalysisRunReconciler(control::Manager& manager, control::Recorder& recorder, Measurer& measurer);
  ~AnalysisRunReconciler() override;

  slipway::Task<Result<control::Outcome>> reconcile(store::Key key) override;
  // Measurements under way end early and are not recorded: the next one to run takes them anew.
  void request_stop() { stop_.request_stop(); }

 private:
  struct Known;
  struct Look;

  control::Manager& manager_;
  control::Recorder& recorder_;
  Measurer& measurer_;
  std::stop_source stop_;
  std::map<store::Key, std::unique_ptr<Known>> known_;  // of runs that go on
};

}  // namespace slipway::analysis
