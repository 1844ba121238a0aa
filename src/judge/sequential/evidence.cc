#include "judge/sequential/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "judge/points.h"

namespace slipway::judge {
namespace {

constexpr std::size_t kMaxBuckets = 10'000;

Result<Evidence> clean_pairs(const Evidence& evidence) {
  const auto& control = evidence.control.points;
  const auto& experiment = evidence.experiment.points;
  if (control.size() != experiment.size() && !control.empty() && !experiment.empty()) {
    return fail(
        ErrorCode::kInvalid,
        fmt::format("signed-rank compares pairs, but there are {} control and {} experiment "
                    "points; give NaN where one is missing, or use stratified-rank",
                    control.size(), experiment.size()));
  }
  Evidence clean;
  for (std::size_t i = 0; i < std::min(control.size(), experiment.size()); ++i) {
    if (std::isnan(control[i]) || std::isnan(experiment[i])) continue;
    clean.control.points.push_back(control[i]);
    clean.experiment.points.push_back(experiment[i]);
  }
  return clean;
}

// In one look: those of kMaxLooks together are still a number that a state may hold.
constexpr double kMaxCount = 1e14;

std::unexpected<Error> too_many(double count, const char* name) {
  return fail(ErrorCode::kInvalid,
              fmt::format("{} in one look are too many to count; at most {}", count, kMaxCount),
              name);
}

Result<> check_count(const Side& side, const char* name) {
  const bool counted = side.events >= 0 && std::isfinite(side.events);
  const bool exposed = side.exposure >= 0 && std::isfinite(side.exposure);
  if (!counted || !exposed || (side.events > 0 && side.exposure == 0)) {
    return fail(ErrorCode::kInvalid,
                fmt::format("{} events in an exposure of {} cannot be; both are at least 0, and "
                            "without exposure there are no events",
                            side.events, side.exposure),
                name);
  }
  if (side.events > kMaxCount) return too_many(side.events, name);
  return {};
}

Result<Side> clean_values(const Side& side, const char* name) {
  if (side.buckets.size() > kMaxBuckets) {
    return fail(ErrorCode::kInvalid, fmt::format("more than {} buckets", kMaxBuckets), name);
  }
  double count = 0;
  for (std::size_t i = 0; i < side.buckets.size(); ++i) {
    const Bucket& bucket = side.buckets[i];
    const bool ascends = i == 0 || bucket.upper > side.buckets[i - 1].upper;
    if (!ascends || std::isnan(bucket.upper) || !(bucket.count >= 0) ||
        !std::isfinite(bucket.count)) {
      return fail(
          ErrorCode::kInvalid,
          fmt::format("bucket {} (up to {}, {} values) cannot be; upper ends ascend, counts "
                      "are at least 0",
                      i, bucket.upper, bucket.count),
          name);
    }
    count += bucket.count;
  }
  if (count > kMaxCount) return too_many(count, name);
  return Side{.points = without_nan(side.points), .buckets = side.buckets};
}

}  // namespace

Result<Evidence> clean_evidence(Engine engine, const Evidence& evidence) {
  SLIPWAY_TRY(check_sizes(evidence.control.points, evidence.experiment.points));
  if (engine == Engine::kSignedRank) return clean_pairs(evidence);
  if (engine == Engine::kCounts) {
    SLIPWAY_TRY(check_count(evidence.control, "control"));
    SLIPWAY_TRY(check_count(evidence.experiment, "experiment"));
    return evidence;
  }
  auto control = clean_values(evidence.control, "control");
  if (!control) return std::unexpected(std::move(control).error());
  auto experiment = clean_values(evidence.experiment, "experiment");
  if (!experiment) return std::unexpected(std::move(experiment).error());
  return Evidence{.control = std::move(*control), .experiment = std::move(*experiment)};
}

}  // namespace slipway::judge
