#include "analysis/argo/compile_argo.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/object.h"

namespace slipway::analysis {

namespace {

using namespace api::argo;

constexpr std::string_view kGroup = "argoproj.io";

bool is_of_cluster(const AnalysisTemplateRef& reference) {
  return reference.cluster_scope.value_or(false);
}

// The templates of a request in the order Argo has them. Depth first, so that a template comes
// before those it refers to.
class Collection {
 public:
  explicit Collection(const FindTemplate& find) : find_(find) {}

  Result<> add(const std::vector<AnalysisTemplateRef>& references) {
    std::vector<AnalysisTemplateRef> open(references.rbegin(), references.rend());
    while (!open.empty()) {
      const AnalysisTemplateRef next = std::move(open.back());
      open.pop_back();
      if (!seen_.emplace(is_of_cluster(next), next.template_name).second) continue;
      if (seen_.size() > kMaxTemplates)
        return fail(ErrorCode::kInvalid,
                    fmt::format("more than {} templates in one analysis", kMaxTemplates));
      auto found = find_(next);
      if (!found) return std::unexpected(std::move(found).error());
      open.insert(open.end(), found->templates.rbegin(), found->templates.rend());
      (is_of_cluster(next) ? of_cluster_ : of_namespace_).push_back(std::move(*found));
    }
    return {};
  }

  std::vector<AnalysisTemplateSpec> take() {
    std::vector<AnalysisTemplateSpec> all = std::move(of_namespace_);
    std::ranges::move(of_cluster_, std::back_inserter(all));
    return all;
  }

 private:
  const FindTemplate& find_;
  std::set<std::pair<bool, std::string>> seen_;
  std::vector<AnalysisTemplateSpec> of_namespace_, of_cluster_;
};

template <class Item>
Result<> append_unique(std::vector<Item>& all, const std::vector<Item>& more,
                       std::string Item::* name, std::string_view what) {
  for (const Item& item : more) {
    if (std::ranges::find(all, item.*name, name) != all.end())
      return fail(ErrorCode::kInvalid,
                  fmt::format("two {} have the same name '{}'", what, item.*name));
    all.push_back(item);
  }
  return {};
}

Result<> declare(std::vector<Argument>& all, const Argument& argument) {
  const auto known = std::ranges::find(all, argument.name, &Argument::name);
  if (known == all.end()) {
    all.push_back(argument);
    return {};
  }
  if (known->value && argument.value && *known->value != *argument.value)
    return fail(ErrorCode::kInvalid,
                fmt::format("Argument `{}` specified multiple times with different values: '{}', "
                            "'{}'",
                            argument.name, *known->value, *argument.value));
  if (!known->value) *known = argument;
  return {};
}

void give(std::vector<Argument>& declared, const Argument& given) {
  const auto known = std::ranges::find(declared, given.name, &Argument::name);
  if (known == declared.end()) return;
  if (given.value) {
    known->value = given.value;
    known->value_from.reset();
  } else if (given.value_from) {
    known->value_from = given.value_from;
  }
}

void fill(std::vector<Argument>& declared, const std::vector<Argument>& fallback) {
  for (Argument& argument : declared) {
    const auto known = std::ranges::find(fallback, argument.name, &Argument::name);
    if (!argument.value && !argument.value_from && known != fallback.end())
      argument.value = known->value;
  }
}

Result<> check_resolved(const std::vector<Argument>& args) {
  for (const Argument& argument : args)
    if (!argument.value && !argument.value_from)
      return fail(ErrorCode::kInvalid, fmt::format("args.{} was not resolved", argument.name));
  return {};
}

constexpr std::string_view kMetrics = "metrics";
constexpr std::string_view kDryRuns = "Dry-Run metric rules";
constexpr std::string_view kRetentions = "Measurement Retention metric rules";

Result<AnalysisRunSpec> flatten(const ArgoRequest& request,
                                const std::vector<AnalysisTemplateSpec>& templates) {
  AnalysisRunSpec run{.dry_run = request.dry_run,
                      .measurement_retention = request.measurement_retention};
  for (const AnalysisTemplateSpec& part : templates)
    SLIPWAY_TRY(append_unique(run.metrics, part.metrics, &Metric::name, kMetrics));
  for (const AnalysisTemplateSpec& part : templates)
    SLIPWAY_TRY(append_unique(run.dry_run, part.dry_run, &DryRun::metric_name, kDryRuns));
  for (const AnalysisTemplateSpec& part : templates)
    SLIPWAY_TRY(append_unique(run.measurement_retention, part.measurement_retention,
                              &MeasurementRetention::metric_name, kRetentions));
  for (const AnalysisTemplateSpec& part : templates)
    for (const Argument& argument : part.args) SLIPWAY_TRY(declare(run.args, argument));
  for (const Argument& argument : request.args) give(run.args, argument);
  fill(run.args, request.fallback);
  SLIPWAY_TRY(check_resolved(run.args));
  return run;
}

// Each undeclared argument once, in its order.
std::vector<std::string> undeclared(const std::vector<Argument>& given,
                                    const std::vector<Argument>& declared) {
  std::vector<std::string> warnings;
  for (const Argument& argument : given)
    if (std::ranges::find(declared, argument.name, &Argument::name) == declared.end())
      warnings.push_back(
          fmt::format("nothing declares the argument \"{}\"; it is not used", argument.name));
  return warnings;
}

Result<Compiled> compile_run(const json::Value& manifest, const std::vector<Argument>& args,
                             const std::vector<Argument>& fallback) {
  auto run = api::decode<AnalysisRun>(manifest);
  if (!run) return std::unexpected(std::move(run).error());
  AnalysisRunSpec spec = std::move(run->spec);
  for (const Argument& argument : args) give(spec.args, argument);
  fill(spec.args, fallback);
  SLIPWAY_TRY(check_resolved(spec.args));
  auto warnings = undeclared(args, spec.args);
  return Compiled{.name = std::string(api::name_of(manifest.get_object())),
                  .spec = std::move(spec),
                  .warnings = std::move(warnings)};
}

Result<Compiled> compile_template(const json::Value& manifest, bool of_cluster,
                                  const std::vector<Argument>& args, const FindTemplate& find,
                                  const std::vector<Argument>& fallback) {
  auto own = api::decode<AnalysisTemplate>(manifest);
  if (!own) return std::unexpected(std::move(own).error());
  const std::string name(api::name_of(manifest.get_object()));
  const AnalysisTemplateRef itself{.template_name = name, .cluster_scope = of_cluster};
  const FindTemplate find_also = [&](const AnalysisTemplateRef& wanted) {
    const bool meant =
        wanted.template_name == name && is_of_cluster(wanted) == is_of_cluster(itself);
    return meant ? Result<AnalysisTemplateSpec>(own->spec) : find(wanted);
  };
  auto spec = compose_run({.templates = {itself}, .args = args, .fallback = fallback}, find_also);
  if (!spec) return std::unexpected(std::move(spec).error());
  auto warnings = undeclared(args, spec->args);
  return Compiled{.name = name, .spec = std::move(*spec), .warnings = std::move(warnings)};
}

}  // namespace

std::unexpected<Error> template_not_found(const AnalysisTemplateRef& reference) {
  return fail(ErrorCode::kNotFound,
              fmt::format("{}.argoproj.io \"{}\" not found",
                          is_of_cluster(reference) ? "clusteranalysistemplate" : "analysistemplate",
                          reference.template_name));
}

Result<AnalysisRunSpec> compose_run(const ArgoRequest& request, const FindTemplate& find) {
  Collection collection(find);
  SLIPWAY_TRY(collection.add(request.templates));
  return flatten(request, collection.take());
}

Result<Compiled> compile_argo(const json::Value& manifest, const std::vector<Argument>& args,
                              const FindTemplate& find, const std::vector<Argument>& fallback) {
  const api::Gvk gvk = manifest.is_object() ? api::gvk_of(manifest.get_object()) : api::Gvk{};
  if (gvk.group == kGroup && gvk.kind == "AnalysisRun")
    return compile_run(manifest, args, fallback);
  if (gvk.group == kGroup && gvk.kind == "AnalysisTemplate")
    return compile_template(manifest, false, args, find, fallback);
  if (gvk.group == kGroup && gvk.kind == "ClusterAnalysisTemplate")
    return compile_template(manifest, true, args, find, fallback);
  return fail(ErrorCode::kInvalid,
              fmt::format("\"{}\" cannot be analysed; give an AnalysisTemplate, a "
                          "ClusterAnalysisTemplate or an AnalysisRun",
                          gvk.kind),
              "kind");
}

FindTemplate find_template_in(std::vector<json::Value> manifests, std::string ns) {
  return [manifests = std::move(manifests),
          ns = std::move(ns)](const AnalysisTemplateRef& wanted) -> Result<AnalysisTemplateSpec> {
    for (const json::Value& manifest : manifests) {
      if (!manifest.is_object()) continue;
      const json::Object& object = manifest.get_object();
      const api::Gvk gvk = api::gvk_of(object);
      if (gvk.group != kGroup || api::name_of(object) != wanted.template_name) continue;
      if (gvk.kind != (is_of_cluster(wanted) ? "ClusterAnalysisTemplate" : "AnalysisTemplate"))
        continue;
      const std::string_view home = api::namespace_of(object);
      if (!is_of_cluster(wanted) && !home.empty() && !ns.empty() && home != ns) continue;
      auto found = api::decode<AnalysisTemplate>(manifest);
      if (!found) return std::unexpected(std::move(found).error());
      return std::move(found->spec);
    }
    return template_not_found(wanted);
  };
}

}  // namespace slipway::analysis
