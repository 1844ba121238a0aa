#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/known_facts.h"
#include "control/manager.h"
#include "control/tally.h"
#include "rollout/facts.h"
#include "server/metric_text.h"

namespace slipway::cli {

// Argo's families about Rollouts and Experiments, for /metrics: some objects of one family at a
// time, for there are many of both. Reads what the caches hold, and of that only what has changed
// since it was last asked.
class RolloutMetrics {
 public:
  static constexpr std::size_t kObjectsInPart = 200;

  struct Sources {
    control::Manager& manager;
    control::Tally& rollouts_done;
    control::Tally& experiments_done;
    const rollout::UpdateTimes& update_times;
  };
  explicit RolloutMetrics(Sources sources);

  // Where a scrape is.
  struct Place {
    std::size_t family = 0;
    bool has_begun = false;                // some of that family is written
    std::optional<store::Key> after = {};  // the object that was written last
  };
  // Writes some lines from `place` on, and moves it; false: that was all. What comes and goes
  // meanwhile may be in it or not.
  bool write(Place& place, std::string& to);

 private:
  // One family: writes some objects after `after`, which it moves; none: that was all.
  using Write = std::function<void(server::MetricText& text, std::optional<store::Key>& after)>;
  struct Family {
    std::string name, type, help;
    Write write;
  };
  void add_facts();
  void add_looks(const std::string& kind, control::Tally& done);
  void add_events();
  void add_times();
  void add_experiments();

  Sources sources_;
  KnownFacts<std::string> experiment_phases_;
  KnownFacts<rollout::RolloutFacts> rollout_facts_;
  std::vector<Family> families_;
};

}  // namespace slipway::cli
