#include "judge/kayenta/score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slipway::judge::kayenta {

namespace {

using Results = std::vector<const MetricResult*>;

Results counted(const std::vector<MetricResult>& results) {
  Results out;
  for (const auto& result : results)
    if (!result.muted) out.push_back(&result);
  return out;
}

std::vector<std::string> groups_of(const Results& results) {
  std::vector<std::string> out;
  for (const auto* result : results)
    for (const auto& group : result->groups)
      if (std::ranges::find(out, group) == out.end()) out.push_back(group);
  return out;
}

GroupScore group_score(const std::string& group, const Results& results) {
  std::size_t all = 0;
  std::size_t passed = 0;
  for (const auto* result : results) {
    if (result->label == Label::kNodata || result->label == Label::kError) continue;
    const auto members = static_cast<std::size_t>(std::ranges::count(result->groups, group));
    all += members;
    if (result->label == Label::kPass) passed += members;
  }
  const double score = all == 0 ? 0 : static_cast<double>(passed) / static_cast<double>(all) * 100;
  return {.name = group, .score = score, .no_data = all == 0};
}

void weigh(std::vector<GroupScore>& groups, const std::map<std::string, double>& weights) {
  double given = 0;
  for (const auto& [group, weight] : weights) given += weight;
  const auto without = std::ranges::count_if(
      groups, [&](const GroupScore& group) { return !weights.contains(group.name); });
  for (auto& group : groups) {
    const auto found = weights.find(group.name);
    group.weight =
        found != weights.end() ? found->second : (100 - given) / static_cast<double>(without);
  }
}

double rounded(double total) { return std::floor(total * 100 + 0.5) / 100; }

}  // namespace

std::string_view to_string(ScoreLabel label) {
  switch (label) {
    case ScoreLabel::kPass:
      return "Pass";
    case ScoreLabel::kMarginal:
      return "Marginal";
    case ScoreLabel::kFail:
      break;
  }
  return "Fail";
}

Score score(const std::vector<MetricResult>& results, const std::map<std::string, double>& weights,
            const Thresholds& thresholds) {
  const auto scored = counted(results);
  Score out;
  for (const auto& group : groups_of(scored)) out.groups.push_back(group_score(group, scored));
  weigh(out.groups, weights);

  const auto critical = std::ranges::find_if(scored, [](const MetricResult* result) {
    return result->critical && result->label != Label::kPass;
  });
  const auto empty = std::ranges::count(scored, Label::kNodata, &MetricResult::label);
  if (critical != scored.end()) {
    out.reason = fmt::format("Canary Failed: {}", (*critical)->reason);
  } else if (scored.empty()) {
    out.reason = "no metric counts";
  } else if (2 * empty >= std::ssize(scored)) {
    out.reason = fmt::format("no data for {} of {} metrics", empty, scored.size());
  } else {
    for (const auto& group : out.groups)
      out.total += (group.no_data ? 100 : group.score) * (group.weight / 100);
    out.total = rounded(out.total);
  }
  if (out.total >= thresholds.pass)
    out.label = ScoreLabel::kPass;
  else if (out.total >= thresholds.marginal)
    out.label = ScoreLabel::kMarginal;
  return out;
}

std::vector<std::string> lost_weights(const std::vector<MetricResult>& results,
                                      const std::map<std::string, double>& weights) {
  const auto groups = groups_of(counted(results));
  std::vector<std::string> out;
  for (const auto& [group, weight] : weights)
    if (std::ranges::find(groups, group) == groups.end()) out.push_back(group);
  return out;
}

bool stops_early(double total, const Thresholds& thresholds) {
  return total <= thresholds.marginal;
}

bool passes_finally(double total, const Thresholds& thresholds) {
  return total > thresholds.marginal && total >= thresholds.pass;
}

}  // namespace slipway::judge::kayenta
