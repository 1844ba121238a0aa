#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/kinds/argo_analysis.h"

// What earlier, successful analyses measured, so that a later one can be compared with them
// although its metric source has forgotten. Newest first: samples themselves, and when their run
// began.
namespace slipway::analysis {

inline constexpr std::size_t kKeptRuns = 3;  // of one stage of one application
inline constexpr std::size_t kMaxHistoryRuns = 1000;
inline constexpr std::size_t kMaxHistoryMetrics = 1000;   // of one run
inline constexpr std::size_t kMaxHistoryPoints = 50'000;  // of one metric; the first are kept
inline constexpr std::size_t kMaxHistoryBytes = 32 * 1024 * 1024;

using RecordedPoint = std::pair<double, double>;  // unix seconds, value

struct RecordedMetric {
  std::string name = {};
  std::string query = {};                  // that the points answer
  std::vector<RecordedPoint> points = {};  // oldest first; none unless the past is its control
};
struct RecordedRun {
  std::string application = {};
  std::string stage = {};
  Time started = {};
  std::vector<RecordedMetric> metrics = {};
};
struct History {
  std::vector<RecordedRun> runs = {};  // newest first
};

// Files a run. One that was not Successful, or never started, changes nothing. The oldest make
// room.
void add(History& history, std::string application, std::string stage,
         const api::argo::AnalysisRun& run);

// The newest run of this stage that had the metric. Pointers live as long as the history is not
// changed.
struct Previous {
  const RecordedRun* run = nullptr;
  const RecordedMetric* metric = nullptr;
};
std::optional<Previous> find_previous(const History& history, std::string_view application,
                                      std::string_view stage, std::string_view metric);

// Errors: kInvalid names what is no history. The limits hold for what is read, too.
Result<History> parse_history(std::string_view text);
std::string format_history(const History& history);

// A file that is not there is an empty history. Errors: as file::read's, and kInvalid.
Result<History> read_history(const std::string& path);
// Whole or not at all, readable by its owner alone. Errors: as file::write's.
Result<> write_history(const std::string& path, const History& history);

}  // namespace slipway::analysis
