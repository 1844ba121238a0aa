#pragma once

#include <string>
#include <vector>

#include "store/store.h"

namespace slipway::scenario {

// What a person did to an object: the only reasons for much that checkers would find fault with.
struct Deed {
  store::Version version = 0;  // that it made
  std::string verb;
  std::string name;  // of the object
};
using Deeds = std::vector<Deed>;

}  // namespace slipway::scenario
