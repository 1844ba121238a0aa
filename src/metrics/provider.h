#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "async/task.h"
#include "base/json.h"
#include "base/time.h"

namespace slipway::metrics {

struct Range {
  Time from;
  Time to;
  // Zero: one value for the whole range, where the source can; else a minute.
  Duration step = std::chrono::minutes(1);
};

struct Query {
  std::string text;  // rendered; web: the JSONPath
  Time at = {};      // the moment asked about; the epoch stands for now
  // Sources that answer for a window only (datadog, dynatrace, …) take it from here, or the five
  // minutes before `at`.
  std::optional<Range> range = {};
  Duration timeout = std::chrono::seconds(30);  // the whole call, sign-in included
  std::stop_token stop = {};
};

struct Point {
  Time time;
  double value = 0;

  bool operator==(const Point&) const = default;
};

using Labels = std::vector<std::pair<std::string, std::string>>;  // in the source's order

struct Series {
  Labels labels = {};
  std::vector<Point> points = {};  // oldest first

  bool operator==(const Series&) const = default;
};

// What a source said, before any dialect has read it (see reading.h).
//
// Points that the source gave as null are left out; NaN and infinities are kept. A series may be
// without points.
struct Answer {
  enum class Shape {
    kScalar,    // one series of one point, which is a number and no list of one
    kVector,    // one point a series
    kMatrix,    // series over time
    kDocument,  // no numbers of its own: see `document`
  };
  Shape shape = Shape::kMatrix;
  std::vector<Series> series = {};
  // Sources whose answer is more than numbers: web (what the JSONPath found), newrelic (rows),
  // influxdb (values with their types), cloudwatch (results), skywalking (data).
  std::optional<json::Value> document = {};
  // web: the body as it came, when it was no JSON.
  std::optional<std::string> text = {};
  std::vector<std::string> warnings = {};
  Labels metadata = {};  // what a measurement should remember besides its value
};

// One metric source.
//
// Stateless between calls; several may run side by side. Does not retry and does not wait for
// better times: the caller owns both. Bounded: see limits.h.
class Provider {
 public:
  virtual ~Provider() = default;

  // No data is not an error: there are no series, or none with points. Errors:
  //   kUnavailable, kTimeout, kTooManyRequests   ask again later
  //   kUnauthorized, kForbidden                  the credentials are wrong
  //   kInvalid, kNotFound, kTooLarge             the query, address or answer is wrong
  //   kCancelled                                 stopped
  // No message holds a credential.
  virtual Task<Result<Answer>> query(Query query) = 0;

  // Whether the source answers and takes our credentials. Errors as above.
  virtual Task<Result<>> is_online() = 0;
};

}  // namespace slipway::metrics
