#include "cli/render_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/arguments.h"
#include "analysis/flagger/canary.h"
#include "analysis/flagger/compile_flagger.h"
#include "analysis/pipecd/compile_pipecd.h"
#include "analysis/report/queries.h"
#include "api/kinds/flagger_metric.h"
#include "api/lint/list_items.h"
#include "lang/template/flagger.h"

namespace slipway::cli {

namespace {

constexpr std::size_t kMaxQueries = 100'000;

// The first of the names a Canary fills in that the query asks for and nobody has given: the text
// is another one with it.
std::string missing_name(const std::string& query, const json::Object& given) {
  constexpr std::string_view kNames[] = {"name",    "namespace", "target",
                                         "service", "ingress",   "route"};
  json::Object data = given;
  for (const auto name : kNames) data.emplace(name, "");
  const auto without = lang::render_flagger(query, data);
  if (!without) return {};  // is refused with its own reason
  for (const auto name : kNames) {
    const bool from_target = name == "service" || name == "ingress" || name == "route";
    if (given.contains(name) || (from_target && given.contains("target"))) continue;
    json::Object with = data;
    with[name] = "x";
    const auto text = lang::render_flagger(query, with);
    if (!text || *text != *without) return std::string(name);
  }
  return {};
}

class Renderer {
 public:
  Renderer(const std::vector<Manifest>& manifests, const PlanOptions& options)
      : manifests_(manifests), options_(options) {}

  Result<std::vector<FileQuery>> run() {
    for (const auto& manifest : manifests_) {
      if (analysis::is_pipecd_application(manifest.document)) {
        SLIPWAY_TRY(add_application(manifest));
        continue;
      }
      if (analysis::is_pipecd_template(manifest.document) && !has_application())
        SLIPWAY_TRY(add_pipecd(
            manifest, analysis::render_pipecd_template(manifest.document, pipecd_options())));
      for (const auto& item : api::list_items(manifest.document))
        if (analysis::flagger::is_metric_template(item.value))
          SLIPWAY_TRY(add_metric_template(manifest, item));
    }
    SLIPWAY_TRY(add_analyses());
    if (queries_.size() > kMaxQueries)
      return fail(ErrorCode::kTooLarge, fmt::format("{} queries are more than {}; give fewer files",
                                                    queries_.size(), kMaxQueries));
    return std::move(queries_);
  }

 private:
  Result<> add_application(const Manifest& manifest) {
    std::vector<const yaml::Document*> templates;
    for (const auto& other : manifests_)
      if (analysis::is_pipecd_template(other.document)) templates.push_back(&other.document);
    return add_pipecd(
        manifest, analysis::render_pipecd_queries(manifest.document, templates, pipecd_options()));
  }

  analysis::PipecdOptions pipecd_options() const {
    const auto name = options_.args.find("App.Name");
    return {.app_name = name == options_.args.end() ? "" : name->second,
            .args = options_.args,
            .variant = options_.variant,
            .now = options_.now};
  }

  Result<> add_pipecd(const Manifest& manifest,
                      Result<std::vector<analysis::RenderedQuery>> rendered) {
    if (!rendered)
      return fail(placed(std::move(rendered).error(), manifest.file, manifest.document));
    for (auto& query : *rendered)
      queries_.push_back({.file = manifest.file,
                          .line = std::max(manifest.document.positions.find(query.field).line, 1),
                          .metric = std::move(query.field),
                          .name = std::move(query.variant),
                          .text = std::move(query.text)});
    return {};
  }

  // One that a Canary of the files asks is rendered there, for that Canary.
  Result<> add_metric_template(const Manifest& manifest, const api::ManifestItem& item) {
    if (has_canary()) return {};
    auto decoded = api::decode<api::flagger::MetricTemplate>(item.value);
    if (!decoded)
      return fail(placed(std::move(decoded).error(), manifest.file, manifest.document, item.path));
    json::Object data, variables;
    for (const auto& [name, value] : options_.args) {
      data[name] = value;
      variables[name] = value;
    }
    data["variables"] = std::move(variables);
    data.emplace("interval", "1m");
    if (const auto missing = missing_name(decoded->spec.query, data); !missing.empty())
      return fail(placed({.code = ErrorCode::kInvalid,
                          .message = fmt::format("\"{0}\" was not resolved; give it with --arg "
                                                 "{0}=VALUE, or the Canary with -f, too",
                                                 missing),
                          .where = "spec.query"},
                         manifest.file, manifest.document, item.path));
    auto metric = analysis::compile_metric_template(*decoded, data);
    if (!metric)
      return fail(placed(std::move(metric).error(), manifest.file, manifest.document, item.path));
    add_metric(manifest.file, item.line, *metric);
    return {};
  }

  bool has_application() const {
    return std::ranges::any_of(manifests_, [](const Manifest& manifest) {
      return analysis::is_pipecd_application(manifest.document);
    });
  }

  bool has_canary() const {
    return std::ranges::any_of(manifests_, [](const Manifest& manifest) {
      return std::ranges::any_of(api::list_items(manifest.document), [](const auto& item) {
        return analysis::flagger::is_canary(item.value);
      });
    });
  }

  // PipeCD's are rendered already, and its piped configuration, which only a real analysis needs,
  // may not be there.
  Result<> add_analyses() {
    std::vector<Manifest> others;
    for (const auto& manifest : manifests_)
      if (!analysis::is_pipecd_application(manifest.document)) others.push_back(manifest);
    auto plan = plan_analysis(others, options_);
    if (!plan && plan.error().code == ErrorCode::kNotFound && !queries_.empty() &&
        plan.error().where.empty())
      return {};
    if (!plan) return std::unexpected(std::move(plan).error());
    for (const auto& run : plan->runs) {
      const auto arguments = analysis::arguments_of(run.compiled.spec, json::Object());
      const json::Object spec = api::encode(run.compiled.spec);
      const json::Value* written = spec.if_contains("metrics");
      if (written == nullptr) continue;
      auto metrics = analysis::resolve(*written, arguments.tags);
      if (!metrics) {
        auto error = std::move(metrics).error();
        error.where = fmt::format("{}:{}", run.file, run.line);
        error.message += "; give it with --arg NAME=VALUE";
        return std::unexpected(std::move(error));
      }
      for (const auto& metric : *metrics) add_metric(run.file, run.line, metric);
    }
    return {};
  }

  void add_metric(const std::string& file, int line, const api::argo::Metric& metric) {
    for (auto& query : analysis::report::spec_queries(metric))
      queries_.push_back({.file = file,
                          .line = line,
                          .metric = metric.name,
                          .name = std::move(query.name),
                          .provider = std::move(query.provider),
                          .text = std::move(query.text)});
  }

  const std::vector<Manifest>& manifests_;
  const PlanOptions& options_;
  std::vector<FileQuery> queries_;
};

}  // namespace

Result<std::vector<FileQuery>> render_files(const std::vector<Manifest>& manifests,
                                            const PlanOptions& options) {
  return Renderer(manifests, options).run();
}

}  // namespace slipway::cli
