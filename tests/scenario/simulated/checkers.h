#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/player/deed.h"
#include "sim/history.h"

// What must hold whatever befalls the program. Checkers read objects by themselves, not with the
// controllers' eyes.
namespace slipway::scenario {

struct Story {
  const std::vector<sim::Change>& changes;  // by version
  const Deeds& deeds;
};
using Finding = sim::Finding;

Finding weights_do_not_add_up(const Story& story);
Finding promoted_unproven(const Story& story);
Finding aborted_became_stable(const Story& story);
Finding steps_out_of_order(const Story& story);
Finding moved_undecided(const Story& story);
Finding made_twice(const Story& story);
Finding too_many_pods(const Story& story);
Finding too_few_pods(const Story& story);
Finding traffic_to_nobody(const Story& story);
Finding does_not_end(const Story& story);

struct Checker {
  std::string_view name;
  Finding (*check)(const Story&);
};
const std::vector<Checker>& checkers();

}  // namespace slipway::scenario
