#pragma once

#include <cstdint>
#include <string_view>

#include "analysis/flagger/canary.h"

// How often a Canary's metrics are checked, and how many failed checks it survives. Pure.
namespace slipway::analysis::flagger {

inline constexpr std::int64_t kMaxRounds = 10'000;

// Good checks from the first traffic to the promotion: one a step of the weights, or one an
// iteration; of a mirrored Canary one more, and of blue/green one more while all traffic is on the
// canary. At least one: see `advances`.
std::int64_t rounds_of(const CanaryAnalysis& analysis, std::string_view provider);

// Whether the weights ever reach their maximum. Without steps, or with steps that do not rise, they
// never do.
bool advances(const CanaryAnalysis& analysis, std::string_view provider);

// Unreadable or none: a minute. At least ten seconds.
Duration interval_of(const CanaryAnalysis& analysis);

// Failed checks at which the Canary is rolled back: at least one.
std::int64_t threshold_of(const CanaryAnalysis& analysis);

}  // namespace slipway::analysis::flagger
