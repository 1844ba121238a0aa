#include "analysis/phase.h"

#include <algorithm>
#include <array>

namespace slipway::analysis {

namespace {

constexpr std::array kBestFirst = {kSuccessful, kRunning, kPending, kInconclusive, kError, kFailed};

std::size_t rank(std::string_view phase) {
  const auto found = std::ranges::find(kBestFirst, phase);
  return found == kBestFirst.end() ? 0 : static_cast<std::size_t>(found - kBestFirst.begin());
}

}  // namespace

bool is_completed(std::string_view phase) {
  return phase == kSuccessful || phase == kFailed || phase == kError || phase == kInconclusive;
}

bool is_worse(std::string_view phase, std::string_view than) { return rank(phase) > rank(than); }

}  // namespace slipway::analysis
