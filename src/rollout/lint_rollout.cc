#include "rollout/lint_rollout.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/kinds/argo_names.h"
#include "api/lint/lint_report.h"
#include "api/lint/list_items.h"
#include "api/schema/codec.h"
#include "rollout/routers/router.h"

namespace slipway::rollout {

namespace {

std::vector<std::string> empty_analyses(const argo::RolloutStrategy& strategy) {
  std::vector<std::string> fields;
  const auto look = [&](const auto& analysis, std::string field) {
    if (analysis && analysis->templates.empty()) fields.push_back(std::move(field));
  };
  if (const auto& canary = strategy.canary) {
    look(canary->analysis, "spec.strategy.canary.analysis");
    for (std::size_t i = 0; i < canary->steps.size(); ++i)
      look(canary->steps[i].analysis, fmt::format("spec.strategy.canary.steps[{}].analysis", i));
  }
  if (const auto& blue_green = strategy.blue_green) {
    look(blue_green->pre_promotion_analysis, "spec.strategy.blueGreen.prePromotionAnalysis");
    look(blue_green->post_promotion_analysis, "spec.strategy.blueGreen.postPromotionAnalysis");
  }
  return fields;
}

}  // namespace

std::vector<api::Problem> lint_rollout(const yaml::Document& document) {
  std::vector<api::Problem> problems;
  for (const api::ManifestItem& item : api::list_items(document)) {
    if (json::string_at(item.value, {"kind"}) != "Rollout" ||
        json::string_at(item.value, {"apiVersion"}) != argo::kApiVersion)
      continue;
    const auto rollout = api::decode<argo::Rollout>(item.value);
    if (!rollout) continue;  // told by whoever reads fields
    api::LintReport report(document, item.path);
    if (const auto unsupported = unsupported_in(rollout->spec, Routers::kAsWritten))
      report.warning(unsupported->field,
                     unsupported->message + "; the Rollout would be Degraded with InvalidSpec");
    for (const std::string& field : empty_analyses(rollout->spec.strategy))
      report.warning(field, "has no templates, so nothing is measured and it passes at once");
    std::ranges::copy(report.problems(), std::back_inserter(problems));
  }
  return problems;
}

}  // namespace slipway::rollout
