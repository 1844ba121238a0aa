#pragma once

#include "experiment/plan.h"
#include "experiment/seen.h"

// One template of an Experiment: its ReplicaSet, its Service, its status. Pure.
namespace slipway::experiment {

// A name that is somebody else's is tried again after this long: that may be the rest of another
// Experiment on its way out.
inline constexpr Duration kTryNameAgain = std::chrono::seconds(5);

struct TemplateTurn {
  const Identity& who;
  const Experiment& experiment;
  const Observed& observed;
  Time now;
};

// Adds actions, the template's status, what has happened and when to look again to `plan`.
void decide_template(const TemplateTurn& turn, const TemplateSpec& variant, Plan& plan);

// What is left of templates that the spec no longer has goes.
void decide_leftovers(const TemplateTurn& turn, Plan& plan);

// The earlier of the two.
void look_again(Plan& plan, Time at);

}  // namespace slipway::experiment
