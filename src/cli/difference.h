#pragma once

#include <string>
#include <vector>

#include "base/json.h"

namespace slipway::cli {

inline constexpr std::size_t kMaxDifferences = 20;

// What a person would call the change from `before` to `after`, a line each: "spec.replicas: 4 ->
// 6", "spec.paused: added true", "metadata.labels.tier: removed". What the server itself writes
// (versions, times, status, managedFields) is left out, and so is everything beyond
// kMaxDifferences, which the last line counts. Contents of Secrets are never shown: "data.password:
// changed".
std::vector<std::string> differences(const json::Value& before, const json::Value& after);

}  // namespace slipway::cli
