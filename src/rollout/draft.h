#pragma once

#include "rollout/plan.h"
#include "rollout/replicas/counts.h"
#include "rollout/status/pause.h"

// A plan in the making. Decisions, one concern each, add to it in the order of decide.cc.
namespace slipway::rollout {

struct Draft {
  explicit Draft(const Situation& situation);

  const Situation& seen;
  const argo::Rollout& rollout;       // seen.rollout
  const argo::RolloutStatus& before;  // its status
  Sets sets = {};
  std::int64_t revision = 0;        // of the latest set
  argo::RolloutStatus status = {};  // to be written
  PauseChange pauses = {};
  std::map<RunRole, const Child*> runs = {};  // those that count now
  const Experiment* experiment = nullptr;
  Plan plan = {};

  bool is_aborted() const { return rollout::is_aborted(before, pauses); }
  bool is_retried() const { return !before.abort && before.aborted_at; }
  bool has_to_create() const { return plan.create.has_value(); }
  void look_again(std::optional<Time> at);
  void act(Action action, std::optional<Happening> says = {});
  void say(std::string reason, std::string message, bool is_warning = false);
  const Child* run(RunRole role) const;
};

// This look is about something else: who resumed or retried is heard at the next.
void keep_status(Draft& draft);

// A set of this size; nothing when it is so already. True when the size changes. What the Rollout
// wants altogether is noted on the set with it.
bool scale(Draft& draft, const ReplicaSet& set, Count replicas);

// An analysis that ended so, at this look or before, holds everything where it is until somebody
// says to go on.
bool is_inconclusive(const Draft& draft);

// The latest set goes down only a while after an abort.
bool delays_scale_down(const Draft& draft);

}  // namespace slipway::rollout
