#pragma once

#include <map>
#include <set>

#include "control/events.h"
#include "control/manager.h"
#include "rollout/facts.h"
#include "rollout/plan.h"
#include "rollout/shell/carry_out.h"
#include "rollout/shell/gather.h"

namespace slipway::rollout {

// Carries Rollouts out. A look gathers what there is, decides, does what the plan says in order and
// writes the status last, if it changed. Killed anywhere in between, the next look finds what was
// done and goes on from there.
class RolloutReconciler final : public control::Reconciler {
 public:
  static constexpr int kWorkers = 16;
  // Things created at one look, each followed by another decision.
  static constexpr int kMaxRounds = 8;
  // How long what a Rollout routes its traffic with may lack something before its status says so:
  // it may be on its way in the same manifest.
  static constexpr Duration kRoutePatience = std::chrono::seconds(3);

  RolloutReconciler(control::Manager& manager, control::Recorder& recorder,
                    Routers routers = Routers::kAsWritten);
  control::ControllerOptions options();

  slipway::Task<Result<control::Outcome>> reconcile(store::Key key) override;
  // Looks under way end early.
  void request_stop() { stop_.request_stop(); }
  // Of updates that ended since it was made.
  const UpdateTimes& update_times() const { return update_times_; }

 private:
  slipway::Task<Result<control::Outcome>> look(store::Key key, Written& written);
  slipway::Task<Result<std::string>> work_off(const Situation& seen, std::vector<Chore> chores,
                                              Written& written);
  slipway::Task<Result<control::Outcome>> conclude(Situation seen, Plan plan, Written& written);
  slipway::Task<Result<>> release_services(store::Key key);
  slipway::Task<Result<>> create(Situation& seen, Creation creation, Written& written);
  void tell(const Situation& seen, const Happening& happening);
  // Of traffic that could not be routed: what the status should say of it by now; empty: nothing.
  std::string unrouted(const Situation& seen, const Error& error);

  control::Manager& manager_;
  control::Recorder& recorder_;
  std::stop_source stop_;
  std::map<store::Key, Written> written_;  // by looks whose writes the caches may not have yet
  std::map<store::Key, Time> unrouted_;    // since when traffic cannot be routed
  Surroundings around_;
  UpdateTimes update_times_;
};

}  // namespace slipway::rollout
