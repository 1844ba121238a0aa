#include "rollout/shell/problems.h"

#include <fmt/format.h>

#include "rollout/objects/fields.h"
#include "rollout/shell/gather.h"

namespace slipway::rollout {

namespace {

struct ServiceField {
  std::string field;
  std::string name;
};
std::vector<ServiceField> service_fields(const argo::RolloutSpec& spec) {
  std::vector<ServiceField> fields;
  if (const auto& canary = spec.strategy.canary) {
    fields.push_back({"spec.strategy.canary.stableService", canary->stable_service});
    fields.push_back({"spec.strategy.canary.canaryService", canary->canary_service});
    if (canary->ping_pong) {
      fields.push_back(
          {"spec.strategy.canary.pingPong.pingService", canary->ping_pong->ping_service});
      fields.push_back(
          {"spec.strategy.canary.pingPong.pongService", canary->ping_pong->pong_service});
    }
  }
  if (const auto& blue_green = spec.strategy.blue_green) {
    fields.push_back({"spec.strategy.blueGreen.activeService", blue_green->active_service});
    fields.push_back({"spec.strategy.blueGreen.previewService", blue_green->preview_service});
  }
  return fields;
}

std::string service_problem(const Situation& seen, const ServiceField& field) {
  if (field.name.empty()) return {};
  const auto found = seen.services.find(field.name);
  if (found == seen.services.end())
    return invalid(seen, field.field, field.name,
                   fmt::format("service \"{}\" not found", field.name));
  const Service& service = found->second;
  if (!service.managed_by.empty() && service.managed_by != seen.name())
    return invalid(seen, field.field, field.name,
                   fmt::format("Service \"{}\" is managed by another Rollout", field.name));
  const auto labels = texts_at(seen.rollout.spec.template_.value, {"metadata", "labels"});
  for (const auto& [key, value] : service.selector) {
    if (key == "rollouts-pod-template-hash") continue;
    const auto label = labels.find(key);
    if (label == labels.end() || label->second != value)
      return invalid(
          seen, field.field, field.name,
          fmt::format("Service \"{}\" has unmatch label \"{}\" in rollout", field.name, key));
  }
  return {};
}

struct TemplateUse {
  std::string field;
  argo::AnalysisTemplateRef reference;
};
std::vector<TemplateUse> template_uses(const argo::RolloutSpec& spec) {
  std::vector<TemplateUse> uses;
  const auto add = [&](const std::string& field, const auto& templates) {
    for (std::size_t i = 0; i < templates.size(); ++i)
      uses.push_back({fmt::format("{}.templates[{}].templateName", field, i), templates[i]});
  };
  if (const auto& canary = spec.strategy.canary) {
    if (canary->analysis) add("spec.strategy.canary.analysis", canary->analysis->templates);
    for (std::size_t i = 0; i < canary->steps.size(); ++i) {
      const std::string step = fmt::format("spec.strategy.canary.steps[{}]", i);
      if (canary->steps[i].analysis) add(step + ".analysis", canary->steps[i].analysis->templates);
      if (!canary->steps[i].experiment) continue;
      for (const auto& one : canary->steps[i].experiment->analyses)
        uses.push_back({step + ".experiment.analyses.templateName",
                        {.template_name = one.template_name, .cluster_scope = one.cluster_scope}});
    }
  }
  if (const auto& blue_green = spec.strategy.blue_green) {
    if (blue_green->pre_promotion_analysis)
      add("spec.strategy.blueGreen.prePromotionAnalysis",
          blue_green->pre_promotion_analysis->templates);
    if (blue_green->post_promotion_analysis)
      add("spec.strategy.blueGreen.postPromotionAnalysis",
          blue_green->post_promotion_analysis->templates);
  }
  return uses;
}

}  // namespace

std::string invalid(const Situation& seen, std::string_view field, std::string_view value,
                    std::string_view detail) {
  return fmt::format("The Rollout \"{}\" is invalid: {}: Invalid value: \"{}\": {}", seen.name(),
                     field, value, detail);
}

std::string reference_problem(control::Manager& manager, const Situation& seen) {
  for (const ServiceField& field : service_fields(seen.rollout.spec))
    if (std::string problem = service_problem(seen, field); !problem.empty()) return problem;
  for (const TemplateUse& use : template_uses(seen.rollout.spec)) {
    const bool is_wide = use.reference.cluster_scope.value_or(false);
    const store::Key key{is_wide ? std::string() : seen.ns(), use.reference.template_name};
    if (!manager.cache(is_wide ? kClusterTemplates : kTemplates).get(key))
      return invalid(
          seen, use.field, key.name,
          fmt::format("{} '{}' not found", is_wide ? "ClusterAnalysisTemplate" : "AnalysisTemplate",
                      key.name));
  }
  return {};
}

}  // namespace slipway::rollout
