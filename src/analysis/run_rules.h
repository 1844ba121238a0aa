#pragma once

#include <map>
#include <optional>
#include <string>

#include "api/kinds/argo_analysis.h"

// What a run's spec says, worked out. Pure.
namespace slipway::analysis {

// Unless a rule says otherwise, this many measurements of a metric are kept.
inline constexpr std::int32_t kKeptMeasurements = 10;
// Looks of a comparison: so many, with so many points in all.
inline constexpr std::size_t kMaxKeptLooks = 200;
inline constexpr std::size_t kMaxKeptPoints = 10'000;
// And of all metrics together, so that the object they are kept in stays within what a cluster
// takes.
inline constexpr std::size_t kMaxRunPoints = 30'000;
// After an error, and between measurements without an interval.
inline constexpr Duration kErrorGap = std::chrono::seconds(10);

struct Limits {
  std::int64_t failures = 0;  // -1: off
  std::int64_t inconclusive = 0;
  std::int64_t consecutive_errors = 4;
  std::int64_t consecutive_successes = 0;  // 0: off
};
Limits limits_of(const api::argo::Metric& metric);

// How many measurements count; none when it goes on for ever.
std::optional<std::int64_t> count_of(const api::argo::Metric& metric);

// Texts are taken as checked: what is no duration is none.
Duration interval_of(const api::argo::Metric& metric);
Duration initial_delay_of(const api::argo::Metric& metric);

struct RunRules {
  std::map<std::string, bool> dry_run = {};       // by metric name
  std::map<std::string, std::int32_t> kept = {};  // by metric name
};
// How many of the newest measurements stay, by metric name; of other metrics all do.
using Kept = std::map<std::string, std::size_t>;
// kInvalid, in Argo's words, when the spec cannot be run: `no metrics specified`, `metrics[1]:
// multiple providers specified`, `dryRun[0]: Rule didn't match any metric name(s)`. For a spec
// whose arguments are resolved.
Result<RunRules> rules_of(const api::argo::AnalysisRunSpec& spec);

}  // namespace slipway::analysis
