#include "analysis/flagger/lint_flagger.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

#include "analysis/flagger/builtin_queries.h"
#include "analysis/flagger/canary.h"
#include "analysis/flagger/compile_flagger.h"
#include "analysis/flagger/rounds.h"
#include "api/lint/lint_report.h"
#include "api/lint/list_items.h"
#include "api/object.h"
#include "lang/template/flagger.h"

namespace slipway::analysis {

namespace {

using flagger::Canary;
using flagger::CanaryAnalysis;
using flagger::CanaryMetric;

constexpr std::string_view kTemplate = "template: tmpl:";

// The line inside the text that a template's error is about; 0 when it names none.
int line_in_text(std::string_view message) {
  const std::size_t at = message.find(kTemplate);
  if (at == std::string_view::npos) return 0;
  message.remove_prefix(at + kTemplate.size());
  int line = 0;
  std::from_chars(message.data(), message.data() + message.size(), line);
  return line;
}

// A query that cannot be rendered, by the line of the query where that is known: texts of several
// lines begin below their key.
struct BadQuery {
  std::string field;
  int line = 0;
};

class FlaggerLint {
 public:
  FlaggerLint(const yaml::Document& document, const std::string& root,
              const FindMetricTemplate& find)
      : report_(document, root), root_(root), find_(find) {}

  void lint_template(const json::Value& value) {
    const std::string_view query = json::string_at(value, {"spec", "query"});
    auto text = lang::render_flagger(query, sample_data({}));
    if (text || lacks_variable(text.error().message)) return;
    bad_query("spec.query", query, text.error().message);
  }

  void lint_canary(const json::Value& value) {
    const json::Value* spec = json::at(value, {"spec"});
    if (spec == nullptr || !spec->is_object())
      return report_.error("spec", "is missing; a Canary has targetRef, service and analysis");
    lint_form(value);
    report_.next_stage();
    api::Findings ignored;
    const auto canary = api::decode_leniently<Canary>(value, {}, ignored);
    lint_analysis(canary);
  }

  std::vector<api::Problem> take() {
    std::vector<api::Problem> problems = report_.problems();
    for (const BadQuery& bad : bad_queries_)
      for (api::Problem& problem : problems)
        if (problem.field == bad.field) problem.line += bad.line;
    std::ranges::sort(problems, {}, [](const api::Problem& problem) {
      return std::tie(problem.line, problem.field, problem.message);
    });
    return problems;
  }

 private:
  static bool lacks_variable(std::string_view message) {
    return message.find("map has no entry for key") != std::string_view::npos;
  }

  static json::Object sample_data(const std::map<std::string, std::string>& given) {
    json::Object variables;
    for (const auto& [name, value] : given) variables[name] = value;
    return {{"name", "name"},       {"namespace", "namespace"},
            {"target", "target"},   {"service", "service"},
            {"ingress", "ingress"}, {"route", "route"},
            {"interval", "1m"},     {"variables", std::move(variables)}};
  }

  void bad_query(const std::string& field, std::string_view query, const std::string& message) {
    report_.error(field, message);
    if (query.find('\n') == std::string_view::npos) return;
    bad_queries_.push_back({.field = root_.empty() ? field : fmt::format("{}.{}", root_, field),
                            .line = line_in_text(message)});
  }

  // What Flagger's own definition of the kind says.
  void lint_form(const json::Value& value) {
    api::SchemaSet schemas;
    const api::Schema& schema = api::schema_of<Canary>(schemas);
    // Patterns of ours that RE2 refuses would be a bug of ours.
    SLIPWAY_ASSERT(schemas.seal());
    api::lint_fields(value.get_object(), schema, report_);
    report_.next_stage();
    api::Findings findings;
    api::check(value.get_object(), schema, findings);
    report_.add(findings);
  }

  void lint_analysis(const Canary& canary) {
    const std::string field(flagger::analysis_field(canary.spec));
    const CanaryAnalysis* analysis = flagger::analysis_of(canary.spec);
    if (analysis == nullptr) {
      if (!canary.spec.skip_analysis)
        report_.warning("spec", "no analysis: every change is promoted unseen");
      return;
    }
    if (canary.spec.analysis && canary.spec.canary_analysis)
      report_.warning("spec.canaryAnalysis", "is not used beside analysis");
    lint_schedule(canary, *analysis, field);
    for (std::size_t i = 0; i < analysis->metrics.size(); ++i)
      lint_metric(canary, analysis->metrics[i], fmt::format("{}.metrics[{}]", field, i));
  }

  void lint_schedule(const Canary& canary, const CanaryAnalysis& analysis,
                     const std::string& field) {
    lint_interval(analysis.interval, field + ".interval");
    if (auto interval = analysis.interval.value();
        !analysis.interval.empty() && interval && *interval < std::chrono::seconds(10))
      report_.warning(field + ".interval", "below 10s is taken for 10s");
    if (!flagger::advances(analysis, canary.spec.provider))
      report_.warning(field,
                      "the canary never advances: give iterations, stepWeight or stepWeights that "
                      "rise");
    if (analysis.iterations > 0 && (analysis.step_weight > 0 || !analysis.step_weights.empty()))
      report_.warning(field + ".iterations", "with iterations, the weights are not used");
  }

  void lint_interval(const api::GoDuration& interval, const std::string& field) {
    if (!interval.empty() && !interval.value())
      report_.error(field,
                    fmt::format("\"{}\" is not a duration; write 30s, 1m or 5m", interval.text));
  }

  void lint_metric(const Canary& canary, const CanaryMetric& metric, const std::string& path) {
    lint_interval(metric.interval, path + ".interval");
    const bool builtin = flagger::is_builtin(metric.name);
    if (!builtin && metric.query.empty() && !metric.template_ref)
      return report_.error(path,
                           "no usable metrics template and query were configured; give a "
                           "templateRef, a query, or one of the names request-success-rate "
                           "and request-duration");
    lint_limits(metric, builtin, path);
    if (!metric.query.empty())
      if (auto text = lang::render_flagger(metric.query, sample_data(metric.template_variables));
          !text)
        bad_query(path + ".query", metric.query, text.error().message);
    if (metric.template_ref) lint_reference(canary, metric, path);
  }

  void lint_limits(const CanaryMetric& metric, bool builtin, const std::string& path) {
    const auto& range = metric.threshold_range;
    if (!range && !metric.threshold)
      return report_.warning(path, metric.name == flagger::kSuccessRate
                                       ? "no thresholdRange: every success rate passes"
                                       : "no thresholdRange: every value over 0 fails");
    if (range && metric.threshold)
      report_.warning(path + ".threshold", "is not used beside thresholdRange");
    if (range && !range->min && !range->max)
      report_.warning(path + ".thresholdRange", "neither min nor max: every value passes");
    if (range && range->min && range->max && *range->min > *range->max)
      report_.error(
          path + ".thresholdRange",
          fmt::format("min ({}) is above max ({}): no value passes", *range->min, *range->max));
    if (builtin && metric.name == flagger::kSuccessRate && range && !range->min && range->max)
      report_.warning(path + ".thresholdRange", "no min: every success rate passes");
  }

  // A template that is not among the files may be in the cluster.
  void lint_reference(const Canary& canary, const CanaryMetric& metric, const std::string& path) {
    const std::string_view own = json::string_at(canary.metadata, {"namespace"});
    const std::string_view ns = metric.template_ref->ns.empty() ? own : metric.template_ref->ns;
    auto found = find_(ns, metric.template_ref->name);
    if (!found) return;
    auto text = lang::render_flagger(found->spec.query, sample_data(metric.template_variables));
    if (!text && lacks_variable(text.error().message))
      report_.error(path + ".templateVariables",
                    fmt::format("the template \"{}\" needs more: {}", metric.template_ref->name,
                                text.error().message));
  }

  api::LintReport report_;
  std::string root_;
  const FindMetricTemplate& find_;
  std::vector<BadQuery> bad_queries_ = {};
};

std::vector<json::Value> items_of(const yaml::Document& document,
                                  const std::vector<const yaml::Document*>& others) {
  std::vector<json::Value> out;
  for (const api::ManifestItem& item : api::list_items(document)) out.push_back(item.value);
  for (const yaml::Document* other : others)
    for (const api::ManifestItem& item : api::list_items(*other)) out.push_back(item.value);
  return out;
}

}  // namespace

std::vector<api::Problem> lint_flagger(const yaml::Document& document,
                                       const std::vector<const yaml::Document*>& others) {
  std::vector<api::Problem> problems;
  std::optional<FindMetricTemplate> find;
  for (const api::ManifestItem& item : api::list_items(document)) {
    const bool is_canary = flagger::is_canary(item.value);
    if (!is_canary && !flagger::is_metric_template(item.value)) continue;
    if (!find) find = find_metric_template_in(items_of(document, others));
    FlaggerLint lint(document, item.path, *find);
    if (is_canary)
      lint.lint_canary(item.value);
    else
      lint.lint_template(item.value);
    std::ranges::move(lint.take(), std::back_inserter(problems));
  }
  return problems;
}

}  // namespace slipway::analysis
