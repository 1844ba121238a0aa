#pragma once

#include <map>

#include "control/events.h"
#include "control/manager.h"
#include "experiment/plan.h"
#include "experiment/seen.h"

namespace slipway::experiment {

// Carries Experiments out: ReplicaSets, Services and AnalysisRuns come and go, and what became of
// them goes into the status.
//
// A look reads, decides, writes what is to be done one after the other, and the status last. It may
// be cut off anywhere and is then done again, from the status as it is kept.
class ExperimentReconciler final : public control::Reconciler {
 public:
  static inline const api::Gvr kKind{"argoproj.io", "v1alpha1", "experiments"};
  // Of deciding and acting, in one look.
  static constexpr int kMaxRounds = 8;
  // For a cache to show what was written.
  static constexpr Duration kPatience = std::chrono::seconds(5);
  static control::ControllerOptions options();

  ExperimentReconciler(control::Manager& manager, control::Recorder& recorder);

  Task<Result<control::Outcome>> reconcile(store::Key key) override;
  void request_stop() { stop_.request_stop(); }

 private:
  // The newest versions written, which a look must not be behind.
  struct Known {
    store::Version experiment = 0;
    std::map<api::Gvr, store::Version> written = {};
  };
  struct Look {
    store::Key key = {};
    store::Version version = 0;
    json::Object document = {};
    Identity who = {};
    Experiment experiment = {};
    Observed observed = {};
  };

  Task<Result<std::optional<store::Item>>> read(store::Key key);
  Task<Result<>> catch_up(store::Key key);
  Task<Result<>> observe(Look& look);
  Result<> observe_owned(Look& look);
  Task<Result<>> observe_runs(Look& look);
  Task<Result<>> verify_templates(Look& look);
  Task<Result<control::Outcome>> carry_on(Look look);
  Task<Result<Plan>> act(Look& look);
  Task<bool> explain(Look& look, const ExperimentStatus& status);
  Task<Result<>> keep(const Look& look, const ExperimentStatus& status,
                      const std::vector<Happening>& happenings);
  void say(const Look& look, const Happening& happening);

  control::Manager& manager_;
  control::Recorder& recorder_;
  std::stop_source stop_;
  std::map<store::Key, Known> known_;
};

}  // namespace slipway::experiment
