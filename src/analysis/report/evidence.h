#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/argo_analysis.h"

// What the status of a run says about its metrics, taken out of its texts: what tables and reports
// show. Pure.
namespace slipway::analysis::report {

inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct SamplePoint {
  double seconds = 0;  // since 1970
  double value = 0;
};
struct SampleSeries {
  enum class Side { kNone, kControl, kExperiment };
  std::string name = {};
  Side side = Side::kNone;
  std::vector<SamplePoint> points = {};  // by time; each time once
};

// One look of a comparison. What a method does not have is NaN.
struct EvidenceLook {
  std::int64_t look = 0;
  double seconds = 0;  // when it was taken
  double z = kUnknown, boundary = kUnknown, log_m = kUnknown;
  double p = kUnknown, alpha_spent = kUnknown;
  double ratio = kUnknown, shift = kUnknown, low = kUnknown, high = kUnknown, cles = kUnknown;
  std::string phase = {};  // of the measurement
  std::string reason = {};
};

struct NamedQuery {
  std::string name = {};  // query, control, experiment, …
  std::string text = {};
};

struct Evidence {
  std::string name = {}, phase = {}, message = {};
  bool dry_run = false;
  bool compares = false;
  std::string method = {}, direction = {};      // of a comparison
  std::string condition = {};                   // what must hold, with the run's arguments
  bool has_expression = false;                  // the condition is one of Argo's expressions
  std::optional<double> least = {}, most = {};  // expected range, both inclusive
  std::vector<NamedQuery> queries = {};
  std::vector<SampleSeries> series = {};  // compare: control, then experiment
  std::vector<EvidenceLook> looks = {};   // of comparisons
  json::Value score = nullptr;            // the newest, of a Kayenta configuration
  std::optional<double> last = {};        // compare: the ratio; else the newest number
  std::string last_text = {};             // the newest value as recorded
  std::vector<double> course = {};        // one number a measurement, oldest first
  std::int64_t taken = 0;                 // measurements, with those that were errors
  std::int64_t errors = 0;                // they do not count towards `planned`
  std::optional<std::int64_t> planned = {};
  std::optional<double> next_seconds = {};  // of a measurement that is under way: when it goes on
};

// One a metric of the spec, in its order, then those that only the status knows.
std::vector<Evidence> evidence_of(const api::argo::AnalysisRun& run);

// How many looks there were: "3/5", "3/5, 1 error".
std::string looks_text(const Evidence& evidence);

// The last value as people read it: of a comparison how much more or less the experiment has; "-"
// when there is none.
std::string shown_last(const Evidence& evidence);

// The name of a run, or "analysis".
std::string name_of(const api::argo::AnalysisRun& run);

}  // namespace slipway::analysis::report
