#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "api/kinds/argo_analysis.h"
#include "cli/demo/load.h"
#include "cli/rollout/view.h"

// What became of a version, and the numbers that rests on. Pure.
namespace slipway::cli {

enum class Ending { kUnderWay, kPromoted, kAborted, kStopped };

// Of a Rollout whose version was changed. Promoted and aborted: traffic is where it belongs, too.
// Stopped: it waits for somebody to decide, or cannot go on.
Ending ending_of(const api::argo::Rollout& rollout);

// What a comparison counted and found.
struct Figures {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  double baseline_errors = 0, baseline_requests = 0;
  double canary_errors = 0, canary_requests = 0;
  double p = kUnknown;
  // How many times as many errors the canary has, and the interval of that.
  double ratio = kUnknown, low = kUnknown, high = kUnknown;
  std::int64_t looks = 0;
  std::optional<std::int64_t> planned = {};

  double baseline_rate() const { return baseline_errors / baseline_requests; }
  double canary_rate() const { return canary_errors / canary_requests; }
};
Figures figures_of(const api::argo::AnalysisRun& run);
// "look 2 of 5: 7 of 720 requests failed at the baseline, 140 of 701 at the canary (p 2e-31)"
std::string figures_line(const Figures& figures);

// The analysis of the newest experiment of the Rollout's current version.
std::optional<api::argo::AnalysisRun> analysis_of(const ShownRollout& rollout, const Grove& grove);

// One version, as the demo saw it.
struct Told {
  std::string version = {};
  Ending wanted = Ending::kPromoted;
  Ending ending = Ending::kUnderWay;
  std::string message = {};  // why, in the Rollout's words
  std::optional<Figures> figures = {};
  Duration took = {};
  LoadCounts load = {};
};

// VERSION, VERDICT, ERRORS of baseline and canary, RATIO with its interval, P, REQUESTS of both
// that it rests on, LOOKS, TOOK, LOST.
std::vector<std::vector<std::string>> story_table(const std::vector<Told>& all);

// What happened instead of what should have; empty when every version ended as it was to.
std::string what_went_wrong(const std::vector<Told>& all);

// "v1 120, v3 60 (12 failed), 0 lost" of the last moments, for a line under the tree.
std::string traffic_line(const LoadCounts& counts, Duration during);

}  // namespace slipway::cli
