#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/json.h"
#include "judge/kayenta/classify.h"
#include "judge/kayenta/score.h"

// A canary configuration as stored in Kayenta, as far as judging goes; queries and templates are
// not looked at.
namespace slipway::judge::kayenta {

inline constexpr std::size_t kMaxMetrics = 1000;

struct ConfiguredMetric {
  std::string name = {};
  std::vector<std::string> groups = {};
  Metric metric = {};
};

struct CanaryConfig {
  std::string name = {};
  std::vector<ConfiguredMetric> metrics = {};
  std::map<std::string, double> group_weights = {};
  Thresholds thresholds = {};  // those of an execution request win over them
};

// kInvalid names the field: metrics without or with the same name, numbers that are none, booleans
// that are strings. An unknown direction or NaN strategy is the default, as in Kayenta.
Result<CanaryConfig> read_config(const json::Value& config);

// `analysisConfigurations.canary` of one metric.
Result<Metric> read_metric(const json::Value& canary, const std::string& where);

// One metric's points; several pairs may have one name (one a combination of tags).
struct MetricPair {
  std::string name = {};
  std::vector<double> control = {};
  std::vector<double> experiment = {};
};

struct Judgement {
  std::vector<Classification> metrics = {};  // one a pair, in their order
  Score score = {};
};

// kInvalid: a pair whose metric is not configured, or see classify.
Result<Judgement> judge_canary(const CanaryConfig& config, const Thresholds& thresholds,
                               const std::vector<MetricPair>& pairs);

}  // namespace slipway::judge::kayenta
