#include "rollout/shell/problems.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/schema/codec.h"
#include "rollout/objects/fields.h"
#include "store/decode.h"

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

std::string claim_problem(const Claims& claims, const Situation& seen, const ServiceField& field) {
  const std::string holder =
      field.name.empty() ? std::string() : claims.holder({seen.ns(), field.name});
  if (holder.empty() || holder == seen.name()) return {};
  return invalid(
      seen, field.field, field.name,
      fmt::format("Service \"{}\" is managed by another Rollout: \"{}\"", field.name, holder));
}

struct TemplateUse {
  std::string field;
  argo::AnalysisTemplateRef reference;
  bool is_waited_for = true;  // the update does not go on before the analysis has ended
};
std::vector<TemplateUse> template_uses(const argo::RolloutSpec& spec) {
  std::vector<TemplateUse> uses;
  const auto add = [&](const std::string& field, const auto& templates, bool is_waited_for = true) {
    for (std::size_t i = 0; i < templates.size(); ++i)
      uses.push_back(
          {fmt::format("{}.templates[{}].templateName", field, i), templates[i], is_waited_for});
  };
  if (const auto& canary = spec.strategy.canary) {
    if (canary->analysis) add("spec.strategy.canary.analysis", canary->analysis->templates, false);
    for (std::size_t i = 0; i < canary->steps.size(); ++i) {
      const std::string step = fmt::format("spec.strategy.canary.steps[{}]", i);
      if (canary->steps[i].analysis) add(step + ".analysis", canary->steps[i].analysis->templates);
      if (!canary->steps[i].experiment) continue;
      const auto& analyses = canary->steps[i].experiment->analyses;
      for (std::size_t j = 0; j < analyses.size(); ++j)
        uses.push_back({fmt::format("{}.experiment.analyses[{}].templateName", step, j),
                        {.template_name = analyses[j].template_name,
                         .cluster_scope = analyses[j].cluster_scope},
                        false});
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

References::Object object_of(const Situation& seen, const TemplateUse& use) {
  const bool is_wide = use.reference.cluster_scope.value_or(false);
  return {is_wide ? kClusterTemplates : kTemplates,
          {is_wide ? std::string() : seen.ns(), use.reference.template_name}};
}

// Texts that still wait for arguments are not judged, nor are metrics that something else ends.
bool is_endless(const argo::Metric& metric) {
  if (metric.interval.text.empty() || metric.consecutive_success_limit || metric.check)
    return false;
  return !metric.count ||
         (metric.count->is_text ? metric.count->text == "0" : metric.count->number == 0);
}

// Of a template that is there.
std::string endless_metric(const store::Item& item) {
  const auto document = store::decode(item);
  const auto read = document ? api::decode<argo::AnalysisTemplate>(json::Value(*document))
                             : Result<argo::AnalysisTemplate>(fail(document.error()));
  if (!read) return {};  // whoever makes a run of it says so
  const auto endless = std::ranges::find_if(read->spec.metrics, is_endless);
  if (endless == read->spec.metrics.end()) return {};
  return fmt::format(
      "AnalysisTemplate {} has metric {} which runs indefinitely. Invalid value for count: {}",
      item.key.name, endless->name, endless->count ? "0" : "<nil>");
}

std::string template_problem(control::Manager& manager, const Situation& seen,
                             const TemplateUse& use) {
  const auto [kind, key] = object_of(seen, use);
  const store::Item* item = manager.cache(kind).get(key);
  if (!item)
    return invalid(
        seen, use.field, key.name,
        fmt::format("{} '{}' not found",
                    key.ns.empty() ? "ClusterAnalysisTemplate" : "AnalysisTemplate", key.name));
  const std::string endless = use.is_waited_for ? endless_metric(*item) : std::string();
  return endless.empty() ? endless : invalid(seen, use.field, key.name, endless);
}

}  // namespace

std::string invalid(const Situation& seen, std::string_view field, std::string_view value,
                    std::string_view detail) {
  return fmt::format("The Rollout \"{}\" is invalid: {}: Invalid value: \"{}\": {}", seen.name(),
                     field, value, detail);
}

std::set<References::Object> referred_templates(const Situation& seen) {
  std::set<References::Object> objects;
  for (const TemplateUse& use : template_uses(seen.rollout.spec))
    objects.insert(object_of(seen, use));
  return objects;
}

std::string reference_problem(control::Manager& manager, const Claims& claims,
                              const Situation& seen) {
  for (const ServiceField& field : service_fields(seen.rollout.spec))
    if (std::string problem = service_problem(seen, field); !problem.empty()) return problem;
  if (!seen.rollout.status.abort)  // the way back needs no analysis
    for (const TemplateUse& use : template_uses(seen.rollout.spec))
      if (std::string problem = template_problem(manager, seen, use); !problem.empty())
        return problem;
  for (const ServiceField& field : service_fields(seen.rollout.spec))
    if (std::string problem = claim_problem(claims, seen, field); !problem.empty()) return problem;
  return {};
}

}  // namespace slipway::rollout
