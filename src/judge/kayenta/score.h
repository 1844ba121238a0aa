#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "judge/kayenta/metric.h"

// Kayenta's score of a whole canary: groups of metrics, weighted.
namespace slipway::judge::kayenta {

struct MetricResult {
  std::string name = {};
  std::vector<std::string> groups = {};  // counts in each of them
  Label label = Label::kPass;
  bool critical = false;
  bool muted = false;
  std::string reason = {};
};

struct Thresholds {
  double pass = 95;
  double marginal = 75;
};

struct GroupScore {
  std::string name;
  double score = 0;      // 100 * Pass / (Pass + High + Low + NodataFailMetric)
  bool no_data = false;  // nothing in it counts; the total takes it as 100
  double weight = 0;     // given, or an equal share of what the given ones leave of 100
};

enum class ScoreLabel { kPass, kMarginal, kFail };
std::string_view to_string(ScoreLabel label);  // Pass, Marginal, Fail

struct Score {
  double total = 0;  // to two places, halves up
  ScoreLabel label = ScoreLabel::kFail;
  std::string reason = {};              // empty when nothing but the groups' scores decided
  std::vector<GroupScore> groups = {};  // in the order of their first metric
};

// Muted results are left out. A critical result that is not Pass makes the total 0; so does no data
// for half of the metrics or more. Weights of groups without metrics are lost, as in Kayenta: the
// total cannot reach 100 then, and `lost_weights` names them.
Score score(const std::vector<MetricResult>& results, const std::map<std::string, double>& weights,
            const Thresholds& thresholds);
std::vector<std::string> lost_weights(const std::vector<MetricResult>& results,
                                      const std::map<std::string, double>& weights);

// What Kayenta's orchestration does after a look of several, where a score equal to marginal stops;
// and after the last.
bool stops_early(double total, const Thresholds& thresholds);
bool passes_finally(double total, const Thresholds& thresholds);

}  // namespace slipway::judge::kayenta
