#pragma once

#include <cstdint>

#include "scenario/player/script.h"

namespace slipway::scenario {

// A script that nobody would write: one of the worlds of the folder, and then whatever comes to
// mind, drawn from a seed; in the end somebody brings it to one. It expects nothing; the checkers
// do.
Script ramble(std::uint64_t seed, const std::filesystem::path& folder);

}  // namespace slipway::scenario
