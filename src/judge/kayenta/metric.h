#pragma once

#include <optional>
#include <string_view>

#include "judge/answer.h"

// How Kayenta's NetflixACAJudge looks at one metric: `analysisConfigurations.canary`, and what its
// judge has as constants.
namespace slipway::judge::kayenta {

enum class Label { kPass, kHigh, kLow, kNodata, kNodataFailMetric, kError };
std::string_view to_string(Label label);

enum class NanStrategy { kRemove, kReplace };  // replace: by 0
enum class Measure { kMeanRatio, kCles };
enum class Solver {
  kExact,   // order statistics of the differences
  kLegacy,  // Kayenta's root finder, to the bit: absolute tolerance 1e-4, whatever the scale
};

// Gates of practical significance. Unset: 1 for meanRatio, 0.5 for cles, which every difference
// passes.
struct EffectSize {
  Measure measure = Measure::kMeanRatio;
  std::optional<double> allowed_increase = {};
  std::optional<double> allowed_decrease = {};
  std::optional<double> critical_increase = {};
  std::optional<double> critical_decrease = {};
};

struct Metric {
  Direction direction = Direction::kEither;
  NanStrategy nan_strategy = NanStrategy::kRemove;
  bool critical = false;        // its failure is the whole canary's
  bool must_have_data = false;  // no data is a failure
  bool muted = false;           // classified, not scored
  bool remove_outliers = false;
  double outlier_factor = 3;
  EffectSize effect_size = {};
  double tolerance = 0.25;   // share of the estimate the interval must keep away from 0
  double confidence = 0.98;  // of the interval
  Solver solver = Solver::kExact;
};

// kInvalid names the option: a tolerance below 0, a confidence outside (0,1), a factor of 0.
Result<> check(const Metric& metric);

}  // namespace slipway::judge::kayenta
