#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "judge/effect.h"

// What every method of this room answers, and how it is written as JSON.
namespace slipway::judge {

enum class Verdict { kPass, kFail, kInconclusive };
std::string_view to_string(Verdict verdict);  // pass, fail, inconclusive

// Which difference of the experiment from the control is a failure.
enum class Direction { kIncrease, kDecrease, kEither };
std::string_view to_string(Direction direction);
// increase, decrease, either. kInvalid names them for any other word.
Result<Direction> parse_direction(std::string_view word);
Direction mirrored(Direction direction);

// One look of a sequential test, as it stood when it was taken. What a method does not have is
// NaN.
struct Look {
  int look = 0;         // from 1
  double s = 0;         // the statistic so far, centred: 0 when nothing differs
  double v = 0;         // its variance so far
  double z = 0;         // s / sqrt(v * tau)
  double boundary = 0;  // of z: at or beyond it the look fails
  double log_m = 0;     // log of the mixture e-value
  double p = 1;         // valid at any look so far
  double alpha_spent = 0;
  Verdict verdict = Verdict::kPass;
};

struct Answer {
  std::string method;
  Direction direction = Direction::kEither;
  Verdict verdict = Verdict::kInconclusive;
  std::optional<double> p = {};
  std::optional<double> statistic = {};  // U of the experiment, or the last look's z
  std::size_t control_points = 0;        // points (for counts: events) the verdict rests on
  std::size_t experiment_points = 0;
  Effect effect = {};
  std::string label = {};  // kayenta's: Pass High Low Nodata NodataFailMetric Error; else empty
  bool critical = false;
  std::string reason;  // one sentence for people, lower case, without full stop
  std::vector<Look> looks = {};
};

// The answer in the keys other programs rely on, without `id`. An absent p, statistic or label is
// null; `looks` is there when there are any.
json::Object to_json(const Answer& answer);

}  // namespace slipway::judge
