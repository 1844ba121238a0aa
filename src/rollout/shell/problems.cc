#include "rollout/shell/problems.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/argo/compile_argo.h"
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

// An analysis of the Rollout itself: one run, of all of its templates.
struct AnalysisUse {
  std::string field;
  argo::RolloutAnalysis analysis;
  bool is_waited_for = true;  // the update does not go on before the analysis has ended
};
std::vector<AnalysisUse> analysis_uses(const argo::RolloutSpec& spec) {
  std::vector<AnalysisUse> uses;
  const auto add = [&](const std::string& field, const auto& analysis, bool is_waited_for = true) {
    if (!analysis) return;
    uses.push_back({field,
                    {.templates = analysis->templates,
                     .args = analysis->args,
                     .dry_run = analysis->dry_run,
                     .measurement_retention = analysis->measurement_retention},
                    is_waited_for});
  };
  if (const auto& canary = spec.strategy.canary) {
    add("spec.strategy.canary.analysis", canary->analysis, false);
    for (std::size_t i = 0; i < canary->steps.size(); ++i)
      add(fmt::format("spec.strategy.canary.steps[{}].analysis", i), canary->steps[i].analysis);
  }
  if (const auto& blue_green = spec.strategy.blue_green) {
    add("spec.strategy.blueGreen.prePromotionAnalysis", blue_green->pre_promotion_analysis);
    add("spec.strategy.blueGreen.postPromotionAnalysis", blue_green->post_promotion_analysis);
  }
  return uses;
}

std::string field_of(const AnalysisUse& use, std::size_t index) {
  return fmt::format("{}.templates[{}].templateName", use.field, index);
}

struct TemplateUse {
  std::string field;
  argo::AnalysisTemplateRef reference;
};
// Those of experiments, too.
std::vector<TemplateUse> template_uses(const argo::RolloutSpec& spec) {
  std::vector<TemplateUse> uses;
  for (const AnalysisUse& use : analysis_uses(spec))
    for (std::size_t i = 0; i < use.analysis.templates.size(); ++i)
      uses.push_back({field_of(use, i), use.analysis.templates[i]});
  if (!spec.strategy.canary) return uses;
  const auto& steps = spec.strategy.canary->steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].experiment) continue;
    const auto& analyses = steps[i].experiment->analyses;
    for (std::size_t j = 0; j < analyses.size(); ++j)
      uses.push_back({fmt::format("spec.strategy.canary.steps[{}].experiment.analyses[{}]."
                                  "templateName",
                                  i, j),
                      {.template_name = analyses[j].template_name,
                       .cluster_scope = analyses[j].cluster_scope}});
  }
  return uses;
}

References::Object object_of(const Situation& seen, const argo::AnalysisTemplateRef& reference) {
  const bool is_wide = reference.cluster_scope.value_or(false);
  return {is_wide ? kClusterTemplates : kTemplates,
          {is_wide ? std::string() : seen.ns(), reference.template_name}};
}

// Texts that still wait for arguments are not judged, nor are metrics that something else ends.
bool is_endless(const argo::Metric& metric) {
  if (metric.interval.text.empty() || metric.consecutive_success_limit || metric.check)
    return false;
  return !metric.count ||
         (metric.count->is_text ? metric.count->text == "0" : metric.count->number == 0);
}

// A template and those it refers to, as they were found.
struct Found {
  argo::AnalysisTemplateRef reference;
  argo::AnalysisTemplateSpec spec;
};

Result<argo::AnalysisTemplateSpec> cached_template(control::Manager& manager, const Situation& seen,
                                                   const argo::AnalysisTemplateRef& reference) {
  const auto [kind, key] = object_of(seen, reference);
  const store::Item* item = manager.cache(kind).get(key);
  if (!item) return analysis::template_not_found(reference);
  auto document = store::decode(*item);
  if (!document) return std::unexpected(std::move(document).error());
  auto read = api::decode<argo::AnalysisTemplate>(json::Value(std::move(*document)));
  if (!read) return std::unexpected(std::move(read).error());
  return std::move(read->spec);
}

// Whatever the Rollout gives a value counts as given: some are there only when the run is made.
std::vector<argo::Argument> given_in(const argo::RolloutAnalysis& analysis) {
  std::vector<argo::Argument> args;
  for (const argo::AnalysisRunArgument& one : analysis.args)
    args.push_back({.name = one.name, .value = one.value});
  return args;
}

std::string endless_problem(const Situation& seen, const AnalysisUse& use,
                            const std::vector<Found>& all) {
  for (const auto& [reference, spec] : all) {
    const auto endless = std::ranges::find_if(spec.metrics, is_endless);
    if (endless == spec.metrics.end()) continue;
    std::string field = use.field + ".templates";  // where it is referred to by another
    for (std::size_t i = 0; i < use.analysis.templates.size(); ++i)
      if (object_of(seen, use.analysis.templates[i]) == object_of(seen, reference))
        field = field_of(use, i);
    return invalid(
        seen, field, reference.template_name,
        fmt::format(
            "AnalysisTemplate {} has metric {} which runs indefinitely. Invalid value for count: "
            "{}",
            reference.template_name, endless->name, endless->count ? "0" : "<nil>"));
  }
  return {};
}

// Of the run that will be made. Notes the templates it is composed of.
std::string analysis_problem(control::Manager& manager, const Situation& seen,
                             const AnalysisUse& use, std::set<References::Object>& objects) {
  std::vector<Found> all;
  const analysis::FindTemplate find =
      [&](const argo::AnalysisTemplateRef& reference) -> Result<argo::AnalysisTemplateSpec> {
    objects.insert(object_of(seen, reference));
    auto found = cached_template(manager, seen, reference);
    if (found) all.push_back({reference, *found});
    return found;
  };
  const auto run =
      analysis::compose_run({.templates = use.analysis.templates,
                             .args = given_in(use.analysis),
                             .dry_run = use.analysis.dry_run,
                             .measurement_retention = use.analysis.measurement_retention},
                            find);
  if (run) return use.is_waited_for ? endless_problem(seen, use, all) : std::string();
  std::vector<std::string> names;
  for (const argo::AnalysisTemplateRef& one : use.analysis.templates)
    names.push_back(one.template_name);
  return invalid(seen, use.field + ".templates",
                 fmt::format("templateNames: [{}]", fmt::join(names, " ")), run.error().text());
}

std::string template_problem(control::Manager& manager, const Situation& seen,
                             std::set<References::Object>& objects) {
  for (const TemplateUse& use : template_uses(seen.rollout.spec)) {
    const auto [kind, key] = object_of(seen, use.reference);
    if (!manager.cache(kind).get(key))
      return invalid(
          seen, use.field, key.name,
          fmt::format("{} '{}' not found",
                      key.ns.empty() ? "ClusterAnalysisTemplate" : "AnalysisTemplate", key.name));
  }
  for (const AnalysisUse& use : analysis_uses(seen.rollout.spec))
    if (std::string problem = analysis_problem(manager, seen, use, objects); !problem.empty())
      return problem;
  return {};
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
    objects.insert(object_of(seen, use.reference));
  return objects;
}

std::string reference_problem(control::Manager& manager, const Claims& claims,
                              const Situation& seen, std::set<References::Object>& objects) {
  for (const ServiceField& field : service_fields(seen.rollout.spec))
    if (std::string problem = service_problem(seen, field); !problem.empty()) return problem;
  if (!seen.rollout.status.abort)  // the way back needs no analysis
    if (std::string problem = template_problem(manager, seen, objects); !problem.empty())
      return problem;
  for (const ServiceField& field : service_fields(seen.rollout.spec))
    if (std::string problem = claim_problem(claims, seen, field); !problem.empty()) return problem;
  return {};
}

}  // namespace slipway::rollout
