#include "analysis/argo/usage.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/lint/list_items.h"
#include "api/object.h"

namespace slipway::analysis {

namespace {

using namespace api::argo;

constexpr std::string_view kGroup = "argoproj.io";

std::optional<Duration> duration_of(const api::GoDuration& text) {
  auto value = text.value();
  return text.empty() || !value ? std::nullopt : std::optional<Duration>(*value);
}

// Analyses of an experiment that ends without waiting for them.
template <class Analysis>
void add_analyses(const std::vector<Analysis>& analyses, const api::GoDuration& duration,
                  const std::string& path, const TemplateUse& like, std::vector<TemplateUse>& out) {
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    TemplateUse use = like;
    use.reference = {analyses[i].template_name, analyses[i].cluster_scope};
    use.field = fmt::format("{}[{}].templateName", path, i);
    if (!analyses[i].required_for_completion) use.duration = duration_of(duration);
    out.push_back(std::move(use));
  }
}

void add_templates(const std::vector<AnalysisTemplateRef>& references, const std::string& path,
                   const TemplateUse& like, std::vector<TemplateUse>& out) {
  for (std::size_t i = 0; i < references.size(); ++i) {
    TemplateUse use = like;
    use.reference = references[i];
    use.field = fmt::format("{}.templates[{}]", path, i);
    out.push_back(std::move(use));
  }
}

std::vector<TemplateUse> uses_of_canary(const CanaryStrategy& canary, TemplateUse like) {
  std::vector<TemplateUse> out;
  std::optional<int> least;
  for (std::size_t i = 0; i < canary.steps.size(); ++i) {
    const CanaryStep& step = canary.steps[i];
    const std::string path = fmt::format("spec.strategy.canary.steps[{}]", i);
    if (step.set_weight) like.weight = *step.set_weight;
    if (step.set_weight && *step.set_weight > 0)
      least = std::min(least.value_or(*step.set_weight), *step.set_weight);
    if (step.analysis) add_templates(step.analysis->templates, path + ".analysis", like, out);
    // An experiment brings Pods of its own, whatever the weight of the canary.
    TemplateUse of_experiment = like;
    of_experiment.weight.reset();
    if (step.experiment)
      add_analyses(step.experiment->analyses, step.experiment->duration,
                   path + ".experiment.analyses", of_experiment, out);
  }
  like.weight = least;
  if (canary.analysis)
    add_templates(canary.analysis->templates, "spec.strategy.canary.analysis", like, out);
  return out;
}

}  // namespace

std::vector<TemplateUse> uses_of(const json::Object& object) {
  const api::Gvk gvk = api::gvk_of(object);
  if (gvk.group != kGroup) return {};
  api::Findings ignored;
  const TemplateUse like{.user = fmt::format("{} \"{}\"", gvk.kind, api::name_of(object))};
  std::vector<TemplateUse> out;
  if (gvk.kind == "Experiment") {
    const auto experiment = api::decode_leniently<Experiment>(object, {}, ignored);
    add_analyses(experiment.spec.analyses, experiment.spec.duration, "spec.analyses", like, out);
  } else if (gvk.kind == "Rollout") {
    const auto rollout = api::decode_leniently<Rollout>(object, {}, ignored);
    if (rollout.spec.strategy.canary) return uses_of_canary(*rollout.spec.strategy.canary, like);
  }
  return out;
}

std::vector<NamedTemplate> templates_in(const std::vector<const yaml::Document*>& documents) {
  std::vector<NamedTemplate> out;
  for (const yaml::Document* document : documents)
    for (const api::ManifestItem& item : api::list_items(*document)) {
      if (!item.value.is_object()) continue;
      const api::Gvk gvk = api::gvk_of(item.value.get_object());
      const bool of_cluster = gvk.kind == "ClusterAnalysisTemplate";
      if (gvk.group != kGroup || (!of_cluster && gvk.kind != "AnalysisTemplate")) continue;
      api::Findings ignored;
      out.push_back(
          {.name = std::string(api::name_of(item.value.get_object())),
           .of_cluster = of_cluster,
           .spec = api::decode_leniently<AnalysisTemplate>(item.value, {}, ignored).spec});
    }
  return out;
}

bool is_meant(const AnalysisTemplateRef& reference, const NamedTemplate& named) {
  return reference.template_name == named.name &&
         reference.cluster_scope.value_or(false) == named.of_cluster;
}

}  // namespace slipway::analysis
