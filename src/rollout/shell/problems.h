#pragma once

#include "rollout/shell/gather.h"

namespace slipway::rollout {

// `The Rollout "web" is invalid: spec.x: Invalid value: "v": detail`
std::string invalid(const Situation& seen, std::string_view field, std::string_view value,
                    std::string_view detail);

// What is wrong with the Services and templates the Rollout refers to; empty: nothing. The first
// finding, as the condition shows one. `objects` gets the templates that those refer to.
std::string reference_problem(control::Manager& manager, const Claims& claims,
                              const Situation& seen, std::set<References::Object>& objects);
// The templates the Rollout itself names.
std::set<References::Object> referred_templates(const Situation& seen);

}  // namespace slipway::rollout
