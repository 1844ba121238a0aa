#include "analysis/pipecd/compile_pipecd.h"

#include <utility>

#include "analysis/pipecd/context.h"

namespace slipway::analysis {

namespace {

using namespace pipecd;

// The kind, when the document is one of PipeCD's.
std::string kind_of(const yaml::Document& document) {
  Report ignored;
  const Fields root = Fields::of(document, ignored);
  return root.text("apiVersion") == kApiVersion ? root.text("kind") : std::string();
}

std::vector<std::string_view> variants_of(const MetricCheck& metric, const PipecdOptions& options) {
  if (options.variant) return {*options.variant};
  if (metric.strategy == "CANARY_BASELINE") return {kCanary, kBaseline};
  if (metric.strategy == "CANARY_PRIMARY") return {kCanary, kPrimary};
  return {kPrimary};
}

Result<> render_metric(const Context& context, const MetricCheck& entry,
                       std::vector<RenderedQuery>& into) {
  auto metric = resolve(entry, context.templates);
  if (!metric) return std::unexpected(std::move(metric).error());
  for (const std::string_view variant : variants_of(*metric, context.options)) {
    const std::pair<const char*, const std::string*> texts[] = {{".query", &metric->query},
                                                                {".exposure", &metric->exposure}};
    for (const auto& [member, text] : texts) {
      if (text->empty()) continue;
      const std::string field = metric->field + member;
      auto rendered = render(context, *metric, variant, *text, field);
      if (!rendered) return std::unexpected(std::move(rendered).error());
      into.push_back({field, std::string(variant), std::move(*rendered)});
    }
  }
  return {};
}

}  // namespace

bool is_pipecd_application(const yaml::Document& document) {
  return is_application_kind(kind_of(document));
}
bool is_pipecd_template(const yaml::Document& document) {
  return kind_of(document) == "AnalysisTemplate";
}
bool is_piped_config(const yaml::Document& document) { return kind_of(document) == "Piped"; }

Result<std::vector<Compiled>> compile_pipecd(const yaml::Document& application,
                                             const std::vector<const yaml::Document*>& templates,
                                             const yaml::Document* piped,
                                             const PipecdOptions& options) {
  auto context = read_context(application, templates, piped, options);
  if (!context) return std::unexpected(std::move(context).error());
  std::vector<Compiled> runs;
  for (const Stage& stage : context->application.stages) {
    if (!stage.analysis) continue;
    auto compiled = compile_stage(*context, stage);
    if (!compiled) return std::unexpected(std::move(compiled).error());
    runs.push_back(std::move(*compiled));
  }
  return runs;
}

Result<std::vector<RenderedQuery>> render_pipecd_queries(
    const yaml::Document& application, const std::vector<const yaml::Document*>& templates,
    const PipecdOptions& options) {
  auto context = read_context(application, templates, nullptr, options);
  if (!context) return std::unexpected(std::move(context).error());
  std::vector<RenderedQuery> queries;
  for (const Stage& stage : context->application.stages) {
    if (!stage.analysis) continue;
    for (const MetricCheck& metric : stage.analysis->metrics)
      SLIPWAY_TRY(render_metric(*context, metric, queries));
  }
  return queries;
}

Result<std::vector<RenderedQuery>> render_pipecd_template(const yaml::Document& document,
                                                          const PipecdOptions& options) {
  Context context{.options = options};
  Report report;
  read_templates(Fields::of(document, report), context.templates);
  SLIPWAY_TRY(report.result());
  std::vector<RenderedQuery> queries;
  for (const auto& [name, metric] : context.templates.metrics)
    SLIPWAY_TRY(render_metric(context, metric, queries));
  return queries;
}

}  // namespace slipway::analysis
