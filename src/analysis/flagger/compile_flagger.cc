#include "analysis/flagger/compile_flagger.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/flagger/builtin_queries.h"
#include "analysis/flagger/canary.h"
#include "analysis/flagger/rounds.h"
#include "api/object.h"
#include "base/text.h"
#include "lang/template/flagger.h"

namespace slipway::analysis {

namespace {

using api::argo::Metric;
using api::argo::SourceMetric;
using flagger::Canary;
using flagger::CanaryAnalysis;
using flagger::CanaryMetric;

constexpr std::string_view kInterval = "1m";
constexpr std::string_view kProviders[] = {
    "cloudwatch", "datadog",  "dynatrace",  "externalmetrics", "graphite",    "influxdb",
    "keptn",      "newrelic", "prometheus", "splunk",          "stackdriver", "wavefront"};

std::string named_or(const json::Value& object, std::string_view key, std::string otherwise) {
  const std::string_view text = json::string_at(object, {key});
  return text.empty() ? std::move(otherwise) : std::string(text);
}

// One check of a Canary, before it is a metric of a run.
struct Check {
  std::string name = {};
  SourceMetric source = {};
  api::argo::Expected expected = {};
};

class Compiler {
 public:
  Compiler(const Canary& canary, const FindMetricTemplate& find, const FlaggerOptions& options)
      : canary_(canary), find_(find), options_(options), ns_(options.ns) {
    ns_ = named_or(canary.metadata, "namespace", options.ns);
  }

  Result<Compiled> compile() {
    Compiled out{.name = std::string(json::string_at(canary_.metadata, {"name"}))};
    const CanaryAnalysis* analysis = flagger::analysis_of(canary_.spec);
    if (canary_.spec.skip_analysis || analysis == nullptr || analysis->metrics.empty()) {
      out.warnings.push_back(nothing_to_check(analysis));
      return out;
    }
    if (!flagger::advances(*analysis, provider()))
      out.warnings.emplace_back(
          "none of iterations, stepWeight and stepWeights lets the canary advance; one good check "
          "is enough here");
    SLIPWAY_TRY(add_checks(*analysis));
    for (const Check& check : checks_)
      out.spec.metrics.push_back(metric_of(check, *analysis, out.spec.metrics));
    return out;
  }

 private:
  std::string provider() const {
    if (options_.mesh_provider.find("linkerd") != std::string::npos) return "linkerd";
    return canary_.spec.provider.empty() ? options_.mesh_provider : canary_.spec.provider;
  }

  std::string nothing_to_check(const CanaryAnalysis* analysis) const {
    if (canary_.spec.skip_analysis) return "skipAnalysis: there is nothing to check";
    if (analysis == nullptr) return "the Canary has no analysis: there is nothing to check";
    return "the analysis has no metrics: there is nothing to check";
  }

  json::Object data_for(const CanaryMetric& metric) const {
    const std::string& target = canary_.spec.target_ref.name;
    const auto& spec = canary_.spec;
    json::Object variables;
    for (const auto& [name, value] : metric.template_variables) variables[name] = value;
    return {{"name", json::string_at(canary_.metadata, {"name"})},
            {"namespace", ns_},
            {"target", target},
            {"service", named_or(spec.service.value, "name", target)},
            {"ingress", spec.ingress_ref ? spec.ingress_ref->name : target},
            {"route", spec.route_ref ? spec.route_ref->name : target},
            {"interval", interval_text(metric)},
            {"variables", std::move(variables)}};
  }

  static std::string interval_text(const CanaryMetric& metric) {
    return metric.interval.empty() ? std::string(kInterval) : metric.interval.text;
  }

  // In Flagger's order: what it asks its own Prometheus, then templates.
  Result<> add_checks(const CanaryAnalysis& analysis) {
    for (std::size_t i = 0; i < analysis.metrics.size(); ++i)
      SLIPWAY_TRY(add_of_metrics_server(analysis.metrics[i], where(i)));
    for (std::size_t i = 0; i < analysis.metrics.size(); ++i)
      SLIPWAY_TRY(add_of_template(analysis.metrics[i], where(i)));
    return {};
  }

  std::string where(std::size_t index) const {
    return fmt::format("{}.metrics[{}]", flagger::analysis_field(canary_.spec), index);
  }

  Result<> add_of_metrics_server(const CanaryMetric& metric, const std::string& where) {
    const bool builtin = flagger::is_builtin(metric.name);
    if (!builtin && metric.query.empty() && !metric.template_ref)
      return fail(ErrorCode::kInvalid,
                  "no usable metrics template and query were configured; give a templateRef, a "
                  "query, or one of the names request-success-rate and request-duration",
                  where);
    if (auto interval = parse_duration(interval_text(metric)); !interval)
      return fail(ErrorCode::kInvalid, interval.error().message, where + ".interval");
    if (builtin) {
      auto query = flagger::builtin_query(metric.name, provider(), data_for(metric));
      SLIPWAY_TRY(add(metric, metrics_server(), query.text, query.data, where,
                      builtin_limits(metric, query.scale)));
    }
    if (!metric.query.empty())
      return add(metric, metrics_server(), metric.query, data_for(metric), where + ".query",
                 limits_of(metric));
    return {};
  }

  Result<> add_of_template(const CanaryMetric& metric, const std::string& where) {
    if (!metric.template_ref) return {};
    const std::string ns = metric.template_ref->ns.empty() ? ns_ : metric.template_ref->ns;
    if (!options_.cross_namespace && ns != ns_)
      return fail(ErrorCode::kInvalid,
                  fmt::format("templates of other namespaces may not be used; \"{}\" is not \"{}\"",
                              ns, ns_),
                  where + ".templateRef.namespace");
    auto found = find_(ns, metric.template_ref->name);
    if (!found) {
      if (found.error().where.empty()) found.error().where = where + ".templateRef";
      return std::unexpected(std::move(found).error());
    }
    auto source = source_of(*found, ns);
    if (!source) return std::unexpected(std::move(source).error());
    return add(metric, std::move(*source), found->spec.query, data_for(metric),
               where + ".templateRef", limits_of(metric));
  }

 public:
  static Result<SourceMetric> source_of(const api::flagger::MetricTemplate& metric,
                                        const std::string& ns) {
    const api::flagger::MetricTemplateProvider& from = metric.spec.provider;
    if (std::ranges::find(kProviders, from.type) == std::end(kProviders))
      return fail(ErrorCode::kInvalid,
                  fmt::format("\"{}\" is not a provider; write {}", from.type,
                              text::either({std::begin(kProviders), std::end(kProviders)})),
                  "spec.provider.type");
    SourceMetric source{.type = from.type,
                        .address = from.address,
                        .region = from.region,
                        .reading = "flagger",
                        .insecure_skip_verify = from.insecure_skip_verify};
    for (const auto& [key, values] : from.headers)
      for (const std::string& value : values) source.headers.push_back({key, value});
    if (from.secret_ref)
      source.secret_ref = api::argo::SourceSecret{.name = from.secret_ref->name, .ns = ns};
    return source;
  }

 private:
  SourceMetric metrics_server() const {
    const std::string& own = canary_.spec.metrics_server;
    return {.type = "prometheus",
            .address = own.empty() ? options_.metrics_server : own,
            .reading = "flagger"};
  }

  // Limits are in the metric's unit, what is measured may be in a larger one.
  static api::argo::Expected builtin_limits(const CanaryMetric& metric, double scale) {
    api::argo::Expected limits;
    if (metric.threshold_range) {
      limits = {.min = metric.threshold_range->min, .max = metric.threshold_range->max};
    } else if (metric.name == flagger::kSuccessRate) {
      limits.min = metric.threshold.value_or(0);
    } else {
      limits.max = metric.threshold.value_or(0);
    }
    if (limits.min) *limits.min /= scale;
    if (limits.max) *limits.max /= scale;
    return limits;
  }

  static api::argo::Expected limits_of(const CanaryMetric& metric) {
    if (metric.threshold_range)
      return {.min = metric.threshold_range->min, .max = metric.threshold_range->max};
    return {.max = metric.threshold.value_or(0)};
  }

  Result<> add(const CanaryMetric& metric, SourceMetric source, const std::string& query,
               const json::Object& data, const std::string& where, api::argo::Expected limits) {
    auto text = lang::render_flagger(query, data);
    if (!text) return fail(ErrorCode::kInvalid, text.error().message, where);
    source.query = std::move(*text);
    source.interval = {interval_text(metric)};
    checks_.push_back({.name = metric.name, .source = std::move(source), .expected = limits});
    return {};
  }

  static std::string free_name(const std::string& name, const std::vector<Metric>& taken) {
    std::string free = name;
    for (int n = 2; std::ranges::find(taken, free, &Metric::name) != taken.end(); ++n)
      free = fmt::format("{} #{}", name, n);
    return free;
  }

  Metric metric_of(const Check& check, const CanaryAnalysis& analysis,
                   const std::vector<Metric>& taken) const {
    Metric metric{
        .name = free_name(check.name, taken),
        .interval = {format_duration(flagger::interval_of(analysis))},
        .failure_limit = api::IntOrString::of(flagger::threshold_of(analysis) - 1),
        .consecutive_success_limit = api::IntOrString::of(flagger::rounds_of(analysis, provider())),
        .check =
            api::argo::Check{.expected = check.expected, .no_data = "Fail", .errors_fail = true}};
    metric.provider.source = check.source;
    return metric;
  }

  const Canary& canary_;
  const FindMetricTemplate& find_;
  const FlaggerOptions& options_;
  std::string ns_;
  std::vector<Check> checks_ = {};
};

}  // namespace

std::unexpected<Error> metric_template_not_found(std::string_view ns, std::string_view name) {
  return fail(ErrorCode::kNotFound,
              fmt::format("Metric template {0}.{1} error: metrictemplate.flagger.app \"{0}\" not "
                          "found",
                          name, ns));
}

Result<Compiled> compile_flagger(const json::Value& manifest, const FindMetricTemplate& find,
                                 const FlaggerOptions& options) {
  if (!flagger::is_canary(manifest))
    return fail(ErrorCode::kInvalid, "is no Canary of flagger.app", "kind");
  auto canary = api::decode<Canary>(manifest);
  if (!canary) return std::unexpected(std::move(canary).error());
  return Compiler(*canary, find, options).compile();
}

Result<Metric> compile_metric_template(const api::flagger::MetricTemplate& metric,
                                       const json::Object& data) {
  const json::Value& metadata = metric.metadata.value;
  auto source = Compiler::source_of(metric, std::string(json::string_at(metadata, {"namespace"})));
  if (!source) return std::unexpected(std::move(source).error());
  auto text = lang::render_flagger(metric.spec.query, data);
  if (!text) return fail(ErrorCode::kInvalid, text.error().message, "spec.query");
  source->query = std::move(*text);
  std::string interval(json::string_at(data, {"interval"}));
  source->interval = {interval.empty() ? std::string(kInterval) : std::move(interval)};
  Metric out{.name = std::string(json::string_at(metadata, {"name"}))};
  out.provider.source = std::move(*source);
  return out;
}

FindMetricTemplate find_metric_template_in(std::vector<json::Value> manifests) {
  return [manifests = std::move(manifests)](
             std::string_view ns, std::string_view name) -> Result<api::flagger::MetricTemplate> {
    for (const json::Value& manifest : manifests) {
      if (!flagger::is_metric_template(manifest)) continue;
      const json::Object& object = manifest.get_object();
      const std::string_view home = api::namespace_of(object);
      if (api::name_of(object) != name || (!home.empty() && home != ns)) continue;
      return api::decode<api::flagger::MetricTemplate>(manifest);
    }
    return metric_template_not_found(ns, name);
  };
}

}  // namespace slipway::analysis
