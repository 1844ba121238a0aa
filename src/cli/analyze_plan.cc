#include "cli/analyze_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/argo/compile_argo.h"
#include "analysis/argo/lint_argo_metrics.h"
#include "analysis/flagger/canary.h"
#include "analysis/flagger/compile_flagger.h"
#include "analysis/kayenta/compile_kayenta.h"
#include "analysis/pipecd/compile_pipecd.h"
#include "analysis/report/plain_text.h"
#include "analysis/report/queries.h"
#include "api/lint/list_items.h"
#include "api/object.h"
#include "lang/template/no_value.h"

namespace slipway::cli {

namespace {

using analysis::Compiled;

constexpr std::string_view kArgo = "argoproj.io";
constexpr std::size_t kMaxRuns = 1000;

// An object of the files, and where it is from.
struct Found {
  const Manifest* manifest;
  json::Value value;
  std::string root;  // items[1]; empty: the document
  int line = 1;

  api::Gvk gvk() const { return value.is_object() ? api::gvk_of(value.get_object()) : api::Gvk{}; }
  std::string ns_or(const std::string& fallback) const {
    const auto ns = value.is_object() ? api::namespace_of(value.get_object()) : std::string_view();
    return ns.empty() ? fallback : std::string(ns);
  }
};

// A warning that begins with its field, "spec.a.b: …", stands at that field's line.
std::string placed_warning(const std::string& warning, const Manifest& manifest,
                           const std::string& root, int line) {
  const std::string field = warning.substr(0, warning.find(": "));
  const std::string text = analysis::report::one_line(warning);
  if (!field.starts_with("spec.") || field.size() == warning.size())
    return fmt::format("{}:{}: warning: {}", manifest.file, line, text);
  const std::string path = root.empty() ? field : fmt::format("{}.{}", root, field);
  return fmt::format("{}:{}: {}: warning: {}", manifest.file,
                     std::max(manifest.document.positions.find(path).line, line), field,
                     text.substr(field.size() + 2));
}

std::vector<std::string> warnings_of(const Compiled& compiled, const Manifest& manifest,
                                     const std::string& root, int line) {
  std::vector<std::string> warnings;
  for (const auto& warning : compiled.warnings)
    warnings.push_back(placed_warning(warning, manifest, root, line));
  for (const auto& metric : compiled.spec.metrics)
    for (const auto& query : analysis::report::spec_queries(metric))
      if (const std::string doubt = lang::no_value_doubt(query.text); !doubt.empty())
        warnings.push_back(fmt::format("{}:{}: warning: {}: {} {}", manifest.file, line,
                                       metric.name, query.name, doubt));
  return warnings;
}

std::vector<api::argo::Argument> arguments_of(const std::map<std::string, std::string>& values) {
  std::vector<api::argo::Argument> args;
  for (const auto& [name, value] : values) args.push_back({.name = name, .value = value});
  return args;
}

class Planner {
 public:
  Planner(const std::vector<Manifest>& manifests, const PlanOptions& options)
      : manifests_(manifests), options_(options) {
    for (const auto& manifest : manifests)
      for (auto& item : api::list_items(manifest.document))
        found_.push_back({&manifest, std::move(item.value), std::move(item.path), item.line});
    for (const auto& found : found_) values_.push_back(found.value);
  }

  Result<AnalysisPlan> plan() {
    for (const auto& manifest : manifests_) SLIPWAY_TRY(add_pipecd(manifest));
    for (const auto& found : found_) SLIPWAY_TRY(add(found));
    if (plan_.runs.empty()) SLIPWAY_TRY(add_templates());
    if (plan_.runs.empty()) return nothing_to_do();
    if (plan_.runs.size() > kMaxRuns)
      return fail(ErrorCode::kTooLarge, fmt::format("{} analyses are more than {} at once; give "
                                                    "fewer files",
                                                    plan_.runs.size(), kMaxRuns));
    name_apart();
    note_unused_args();
    return std::move(plan_);
  }

 private:
  Result<> add_pipecd(const Manifest& manifest) {
    if (!analysis::is_pipecd_application(manifest.document)) return {};
    std::vector<const yaml::Document*> templates;
    const yaml::Document* piped = nullptr;
    for (const auto& other : manifests_) {
      if (analysis::is_pipecd_template(other.document)) templates.push_back(&other.document);
      if (analysis::is_piped_config(other.document) && !piped) piped = &other.document;
    }
    const auto name = options_.args.find("App.Name");
    auto compiled =
        analysis::compile_pipecd(manifest.document, templates, piped,
                                 {.app_name = name == options_.args.end() ? "" : name->second,
                                  .args = options_.args,
                                  .variant = options_.variant,
                                  .history = options_.history,
                                  .now = options_.now,
                                  .compat = options_.pipecd_compat});
    if (!compiled)
      return fail(placed(std::move(compiled).error(), manifest.file, manifest.document));
    for (auto& one : *compiled) {
      auto warnings = warnings_of(one, manifest, "", manifest.document.line);
      plan_.runs.push_back({.file = manifest.file,
                            .line = manifest.document.line,
                            .warnings = std::move(warnings),
                            .compiled = std::move(one)});
    }
    if (compiled->empty())
      plan_.notes.push_back(fmt::format("{}:{}: the pipeline has no ANALYSIS stage", manifest.file,
                                        manifest.document.line));
    return {};
  }

  Result<> add(const Found& found) {
    const api::Gvk gvk = found.gvk();
    if (gvk.group == kArgo && gvk.kind == "AnalysisRun") return add_argo(found);
    if (analysis::flagger::is_canary(found.value)) return add_flagger(found);
    if (analysis::is_kayenta_config(found.value)) return add_kayenta(found);
    if (gvk.group.empty() && gvk.kind == "Secret" && found.value.is_object())
      plan_.secrets.push_back(found.value.get_object());
    return {};
  }

  Result<> add_argo(const Found& found) {
    auto compiled =
        analysis::compile_argo(found.value, arguments_of(options_.args),
                               analysis::find_template_in(values_, found.ns_or(options_.ns)),
                               arguments_of(options_.recorded_args));
    if (!compiled && compiled.error().message.ends_with("was not resolved"))
      compiled.error().message += "; give it with --arg NAME=VALUE";
    ++argo_runs_;
    if (compiled) SLIPWAY_TRY(check_metrics(found, compiled->spec.metrics));
    return take(found, std::move(compiled));
  }

  // Before anybody is asked: what can never be judged need not be measured.
  Result<> check_metrics(const Found& found, const std::vector<api::argo::Metric>& metrics) const {
    const auto mistakes = analysis::mistakes_in(metrics);
    if (mistakes.empty()) return {};
    const auto& first = mistakes.front();
    const std::string& name = metrics[first.metric].name;
    Error error{.code = ErrorCode::kInvalid,
                .message = fmt::format("metric \"{}\": {}: {}", name, first.field, first.message)};
    // Those of a template that is referred to are elsewhere.
    const auto* own = json::at(found.value, {"spec", "metrics"});
    if (own && own->is_array() && first.metric < own->get_array().size() &&
        json::string_at(own->get_array()[first.metric], {"name"}) == name)
      error = {.code = ErrorCode::kInvalid,
               .message = first.message,
               .where = fmt::format("spec.metrics[{}].{}", first.metric, first.field)};
    return fail(
        placed(std::move(error), found.manifest->file, found.manifest->document, found.root));
  }

  Result<> add_flagger(const Found& found) {
    analysis::FlaggerOptions flags;
    const std::pair<const char*, std::string*> known[] = {{"metricsServer", &flags.metrics_server},
                                                          {"meshProvider", &flags.mesh_provider},
                                                          {"namespace", &flags.ns}};
    for (const auto& [name, into] : known)
      if (const auto given = options_.args.find(name); given != options_.args.end())
        *into = given->second;
    return take(found, analysis::compile_flagger(
                           found.value, analysis::find_metric_template_in(values_), flags));
  }

  Result<> add_kayenta(const Found& found) {
    auto args = options_.args;
    if (options_.asks_nobody) args.try_emplace("address", "http://localhost");
    auto options = analysis::kayenta_options(args, options_.now);
    if (!options) return std::unexpected(std::move(options).error());
    SLIPWAY_TRY(take(found, analysis::compile_kayenta(found.value, *options)));
    const std::string text = json::write(found.value);
    for (const auto& [name, value] : options_.args)
      if (const auto meant = analysis::meant_kayenta_argument(name);
          !meant.empty() && text.find("${" + name) == std::string::npos)
        plan_.notes.push_back(
            fmt::format("warning: --arg {}: no query of {} asks for it; did you mean {}?", name,
                        found.manifest->file, meant));
    return {};
  }

  // Those that nothing else in the files refers to; of a circle, the first.
  Result<> add_templates() {
    std::vector<const Found*> templates;
    std::set<std::string> referred;
    for (const auto& found : found_) {
      if (is_template(found)) templates.push_back(&found);
      for (const auto& name : references_of(found)) referred.insert(name);
    }
    std::set<std::string> covered;
    for (const bool circles : {false, true})
      for (const Found* found : templates) {
        const std::string name(api::name_of(found->value.get_object()));
        if (circles ? covered.contains(name) : referred.contains(name)) continue;
        SLIPWAY_TRY(add_argo(*found));
        cover(name, templates, covered);
      }
    return {};
  }

  static bool is_template(const Found& found) {
    const api::Gvk gvk = found.gvk();
    return gvk.group == kArgo &&
           (gvk.kind == "AnalysisTemplate" || gvk.kind == "ClusterAnalysisTemplate");
  }

  static std::vector<std::string> references_of(const Found& found) {
    std::vector<std::string> names;
    const auto* references = json::at(found.value, {"spec", "templates"});
    if (references != nullptr && references->is_array())
      for (const auto& reference : references->get_array())
        names.emplace_back(json::string_at(reference, {"templateName"}));
    return names;
  }

  // Adds a template and all that it leads to.
  static void cover(const std::string& name, const std::vector<const Found*>& templates,
                    std::set<std::string>& covered) {
    std::vector<std::string> waiting = {name};
    while (!waiting.empty()) {
      const std::string next = std::move(waiting.back());
      waiting.pop_back();
      if (!covered.insert(next).second) continue;
      for (const Found* found : templates)
        if (api::name_of(found->value.get_object()) == next)
          for (auto& reference : references_of(*found)) waiting.push_back(std::move(reference));
    }
  }

  Result<> take(const Found& found, Result<Compiled> compiled) {
    if (!compiled)
      return fail(placed(std::move(compiled).error(), found.manifest->file,
                         found.manifest->document, found.root));
    auto warnings = warnings_of(*compiled, *found.manifest, found.root, found.line);
    plan_.runs.push_back({.file = found.manifest->file,
                          .line = found.line,
                          .ns = found.ns_or(options_.ns),
                          .warnings = std::move(warnings),
                          .compiled = std::move(*compiled)});
    return {};
  }

  Result<AnalysisPlan> nothing_to_do() const {
    if (!plan_.notes.empty()) return fail(ErrorCode::kNotFound, plan_.notes.front());
    const bool metric_templates =
        std::ranges::any_of(values_, analysis::flagger::is_metric_template);
    return fail(ErrorCode::kNotFound,
                metric_templates
                    ? "a MetricTemplate is asked for by a Canary; give the Canary with -f, too"
                    : "nothing to analyse in these files; give an AnalysisTemplate or AnalysisRun, "
                      "a Canary with its MetricTemplates, a PipeCD application with an ANALYSIS "
                      "stage, or a Kayenta configuration");
  }

  // Argo passes over arguments that no template asks for; a misspelt one is no wish. What the other
  // dialects make of arguments is their own.
  void note_unused_args() {
    if (argo_runs_ != plan_.runs.size()) return;
    std::set<std::string> known;
    for (const auto& run : plan_.runs)
      for (const auto& argument : run.compiled.spec.args) known.insert(argument.name);
    for (const auto& [name, value] : options_.args)
      if (!known.contains(name))
        plan_.notes.push_back(
            fmt::format("warning: --arg {}: no analysis of these files has an argument of that "
                        "name",
                        name));
  }

  void name_apart() {
    std::set<std::string> names;
    for (auto& run : plan_.runs) {
      const std::string name = run.compiled.name;
      for (int number = 2; !names.insert(run.compiled.name).second; ++number)
        run.compiled.name = fmt::format("{}-{}", name, number);
    }
  }

  const std::vector<Manifest>& manifests_;
  const PlanOptions& options_;
  std::vector<Found> found_;
  std::vector<json::Value> values_;
  AnalysisPlan plan_;
  std::size_t argo_runs_ = 0;
};

}  // namespace

Result<AnalysisPlan> plan_analysis(const std::vector<Manifest>& manifests,
                                   const PlanOptions& options) {
  return Planner(manifests, options).plan();
}

Result<std::map<std::string, std::string>> parse_args(const std::vector<std::string>& words) {
  std::map<std::string, std::string> args;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    if (equals == 0 || equals == std::string::npos)
      return fail(ErrorCode::kBadRequest,
                  fmt::format("\"{}\" is no name=value; write --arg service-name=web", word),
                  "--arg");
    args.insert_or_assign(word.substr(0, equals), word.substr(equals + 1));
  }
  return args;
}

Error placed(Error error, const std::string& file, const yaml::Document& document,
             const std::string& root) {
  // What is wrong with several fields says so itself, in its causes.
  if (error.where.empty() && error.causes.size() == 1) error.where = error.causes.front().field;
  std::string field = root;
  if (!error.where.empty()) field += (root.empty() ? "" : ".") + error.where;
  const int line = field.empty() ? document.line : document.positions.find(field).line;
  const std::string place = fmt::format("{}:{}", file, std::max(line, 1));
  error.where = error.where.empty() ? place : fmt::format("{}: {}", place, error.where);
  return error;
}

}  // namespace slipway::cli
