#include "analysis/pipecd/context.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "judge/sequential/plan.h"
#include "judge/sequential/tau.h"
#include "lang/template/pipecd.h"

namespace slipway::analysis::pipecd {

namespace {

constexpr std::size_t kMaxName = 52;  // leaves room for what others put after it

std::string arg_or(const PipecdOptions& options, const std::string& key, std::string otherwise) {
  const auto found = options.args.find(key);
  if (found != options.args.end()) return found->second;
  return otherwise;
}

template <class C>
Result<C> resolved(const C& check, const std::map<std::string, C>& entries, std::string_view list) {
  if (check.template_name.empty()) return check;
  const auto found = entries.find(check.template_name);
  if (found == entries.end())
    return fail(
        ErrorCode::kInvalid,
        fmt::format("no AnalysisTemplate has an entry \"{}\" under {}", check.template_name, list),
        check.field + ".template.name");
  C result = found->second;
  result.field = check.field;
  result.template_name = check.template_name;
  result.app_args = check.app_args;
  if (check.has_timeout) result.timeout = check.timeout;
  return result;
}

json::Object as_object(const Args& args) {
  json::Object object;
  for (const auto& [name, value] : args) object[name] = value;
  return object;
}

const Args& variant_args(const MetricCheck& metric, std::string_view variant) {
  return variant == kCanary     ? metric.canary_args
         : variant == kBaseline ? metric.baseline_args
                                : metric.primary_args;
}

// The whole application's arguments, then the stage's, then those given with the command.
json::Object app_args(const Context& context, const MetricCheck& metric) {
  Args args = context.application.app_args;
  for (const auto& [name, value] : metric.app_args) args[name] = value;
  for (const auto& [name, value] : context.options.args)
    if (name != "App.Name" && name != "K8s.Namespace") args[name] = value;
  return as_object(args);
}

}  // namespace

std::string Context::app_name() const {
  if (!application.name.empty()) return application.name;
  return arg_or(options, "App.Name", options.app_name);
}

std::string Context::namespace_() const {
  return arg_or(options, "K8s.Namespace", application.namespace_);
}

Result<Context> read_context(const yaml::Document& application,
                             const std::vector<const yaml::Document*>& templates,
                             const yaml::Document* piped, const PipecdOptions& options) {
  Context context{.has_piped = piped != nullptr, .options = options};
  Report report;
  context.application = read_application(Fields::of(application, report));
  SLIPWAY_TRY(report.result());
  if (!is_application_kind(context.application.kind))
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" is no application", context.application.kind), "kind");
  for (const yaml::Document* one : templates)
    read_templates(Fields::of(*one, report), context.templates);
  SLIPWAY_TRY(report.result());
  if (piped != nullptr) context.providers = read_providers(Fields::of(*piped, report));
  SLIPWAY_TRY(report.result());
  return context;
}

Result<MetricCheck> resolve(const MetricCheck& check, const TemplateSet& templates) {
  return resolved(check, templates.metrics, "metrics");
}
Result<LogCheck> resolve(const LogCheck& check, const TemplateSet& templates) {
  return resolved(check, templates.logs, "logs");
}
Result<HttpCheck> resolve(const HttpCheck& check, const TemplateSet& templates) {
  return resolved(check, templates.https, "https");
}

Result<std::string> render(const Context& context, const MetricCheck& metric,
                           std::string_view variant, const std::string& text,
                           const std::string& field) {
  lang::PipecdArguments arguments{.app_name = context.app_name(),
                                  .namespace_ = context.namespace_(),
                                  .variant = std::string(variant),
                                  .variant_args = as_object(variant_args(metric, variant)),
                                  .app_args = app_args(context, metric)};
  const auto workloads = context.options.workloads.find(arguments.variant);
  if (workloads != context.options.workloads.end()) {
    if (!workloads->second.pod_name.empty()) arguments.pod_name = workloads->second.pod_name;
    if (!workloads->second.service_name.empty())
      arguments.service_name = workloads->second.service_name;
  }
  auto rendered = lang::render_pipecd(text, arguments);
  if (!rendered) return fail(ErrorCode::kInvalid, rendered.error().message, field);
  return rendered;
}

std::int64_t evaluations(Duration duration, Duration interval) {
  if (duration <= Duration::zero() || interval <= Duration::zero()) return 0;
  return (duration.count() - 1) / interval.count();
}

Duration step_of(Duration interval) {
  return std::min<Duration>(interval, std::chrono::minutes(1));
}

std::int64_t points_per_look(Duration interval) {
  return interval <= Duration::zero() ? 0 : interval.count() / step_of(interval).count() + 1;
}

std::string method_of(const MetricCheck& metric, bool compat) {
  if (!metric.method.empty()) return metric.method;
  return compat ? "mann-whitney" : "stratified-rank";
}

bool StagePoints::enough() const { return effective >= judge::kMinEffectivePoints; }

StagePoints stage_points(Duration interval, std::int64_t looks, std::string_view query) {
  const Duration range = judge::longest_range(query).value_or(Duration{});
  const double tau = judge::range_over_step(range, step_of(interval));
  const auto points = static_cast<double>(looks * (points_per_look(interval) - 1) + 1);
  return {.effective = points / tau, .share_range = tau > 1};
}

std::string too_short(const StagePoints& points, bool by_look) {
  if (points.share_range && by_look)
    return "is too short for points that share their range to add up to a verdict: each interval "
           "is judged alone, by mann-whitney, which takes them for independent and fails good "
           "versions more often; write a longer duration, or a shorter range in the query";
  return fmt::format(
      "gives about {:.0f} points a side{} over the whole stage; a comparison can fail with {} or "
      "more: write a longer duration",
      std::max(points.effective, 1.0), points.share_range ? " that do not share their range" : "",
      judge::kMinEffectivePoints);
}

api::GoDuration as_text(Duration duration) { return {format_duration(duration)}; }

std::string brief(Duration duration) {
  std::string text = format_duration(duration);
  if (text.ends_with("m0s")) text.resize(text.size() - 2);
  if (text.ends_with("h0m")) text.resize(text.size() - 2);
  return text;
}

std::string as_name(std::string_view text) {
  std::string name;
  for (const char c : text::lower(text)) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (fits) name += c;
    if (!fits && !name.empty() && name.back() != '-') name += '-';
  }
  if (name.size() > kMaxName) name.resize(kMaxName);
  while (name.ends_with('-')) name.pop_back();
  return name;
}

}  // namespace slipway::analysis::pipecd
