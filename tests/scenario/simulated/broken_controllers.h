#pragma once

#include <string_view>
#include <vector>

#include "scenario/simulated/spoiler.h"

namespace slipway::scenario {

// A controller that does wrong in one way, and what sees it.
struct Broken {
  std::string_view wrong;    // how, for the test's name
  std::string_view checker;  // that is to speak
  std::string_view script;   // the name of one, or its lines
  Spoiler spoiler;           // copied for each run: what it remembers is of that run alone
};
const std::vector<Broken>& broken_controllers();

}  // namespace slipway::scenario
