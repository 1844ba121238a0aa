#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/provider.h"

// Where dialects ask and read the same source differently, the difference is a row of a table,
// applied to one Answer. Pure.
namespace slipway::metrics {

enum class Dialect { kFlagger, kPipecd, kArgo };

struct Reading {
  // Asking
  enum class Blanks { kKeep, kCollapse, kRemove };
  Blanks blanks = Blanks::kKeep;  // what happens to runs of white space in the query
  int window = 0;                 // the range asked for, in intervals before `at`; 0: an instant
  Duration max_step = {};         // between points of the range; 0: one value for all of it
  bool source_clock = false;      // an instant is now by the source's clock, not by ours
  Duration timeout = std::chrono::seconds(30);

  // One number out of many
  enum class From {
    kFirst,
    kLastWithPoints,
    kLastOfFirstMetric,  // of those that share the first one's first label
    kOnly                // several with points are an error
  };
  From series = From::kFirst;
  enum class Which { kOldest, kNewest, kOnly };
  Which point = Which::kNewest;  // kOnly: an answer over time is an error

  // Argo: what `result` is, and how `value` is written
  enum class Outcome {
    kList,           // every point of every series: [10,11]; a scalar is a number
    kNumber,         // the number, or null when there is none: 10, []
    kNumberOrList,   // several series: a list of one number each
    kFirstSeries,    // every point of the first series; none is an error
    kNearest,        // of each series the point nearest to the start; none is an error
    kDocument,       // the document as it is
    kDocumentRows,   // one row: the row; none is an error
    kDocumentLists,  // cloudwatch: the results; value is the lists of their values
    kDocumentValues  // influxdb: the values; none is an error
  };
  Outcome outcome = Outcome::kList;
};

// A type that the dialect does not have is read as first series, newest point.
const Reading& reading_for(Dialect dialect, std::string_view provider_type);

// The query as the dialect sends it. `at` is now; `interval` is the metric's.
Query make_query(const Reading& reading, std::string text, Time at, Duration interval);

inline constexpr std::string_view kNoValuesFound = "no values found";
inline constexpr std::string_view kMultipleValues = "query returned multiple values";

// Flagger: one number, or none. NaN is none. Error: kInvalid, several where one was asked for.
Result<std::optional<double>> read_number(const Reading& reading, const Answer& answer);

// PipeCD: every point of every series, times floored to seconds.
struct FlatPoints {
  std::vector<Point> points = {};
  // Set: the source had nothing there although it answered (NaN, a series without points). No
  // series at all is not that: there are no points, and no reason.
  std::optional<std::string> no_data = {};
};
FlatPoints read_points(const Answer& answer);

// Argo: what conditions see, what is recorded, and what a measurement keeps besides. Numbers are
// doubles unless the source itself has integers (influxdb). Errors: kNotFound with Argo's words
// where Argo has no data for an error.
struct Measured {
  json::Value result = nullptr;
  std::string value = {};
  Labels metadata = {};
};
Result<Measured> read_result(const Reading& reading, const Answer& answer, Time started);

}  // namespace slipway::metrics
