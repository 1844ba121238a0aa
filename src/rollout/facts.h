#pragma once

#include <map>
#include <string>

#include "api/kinds/argo_rollout.h"
#include "base/json.h"
#include "control/histogram.h"

// What is told of Rollouts to those who watch over many. Pure.
namespace slipway::rollout {

struct RolloutFacts {
  std::string strategy = "none";  // canary, blueGreen
  std::string router = {};        // Istio, Nginx, SMI, …, the name of a plugin; empty: none
  // Completed Progressing Paused Timeout Error Abort InvalidSpec: Argo's words here, which are
  // others than those of status.phase.
  std::string phase = "Progressing";
  std::int64_t desired = 0, available = 0, unavailable = 0, updated = 0;
  bool operator==(const RolloutFacts&) const = default;
};
RolloutFacts facts_of(const json::Value& rollout);

// How long updates took, by how they ended.
class UpdateTimes {
 public:
  static constexpr double kBounds[] = {30,   60,   120,  300,   600,  1200,
                                       1800, 3600, 7200, 14400, 28800};  // seconds
  struct Times {
    control::Histogram all{kBounds};
    control::Histogram progression{kBounds};  // without manual pauses
    control::Histogram manual_pause{kBounds};
  };

  // A status was written. An update that ended with it is counted, one that another took the place
  // of as Superseded.
  void see(const std::optional<api::argo::RolloutDuration>& before,
           const std::optional<api::argo::RolloutDuration>& after);

  const std::map<std::string, Times>& by_end() const { return by_end_; }

 private:
  std::map<std::string, Times> by_end_;
};

}  // namespace slipway::rollout
