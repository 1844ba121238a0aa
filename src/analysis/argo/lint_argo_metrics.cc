#include "analysis/argo/lint_argo_metrics.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/lint/lint_report.h"
#include "api/lint/list_items.h"
#include "api/object.h"
#include "api/rules/argo_rules.h"
#include "api/schema/codec_types.h"
#include "lang/expr/condition.h"

namespace slipway::analysis {

namespace {

using namespace api::argo;

// Empty when there is nothing to say.
std::string condition_problem(const std::string& condition) {
  if (condition.empty() || is_templated(condition)) return {};
  const auto checked = lang::expr::check_condition(condition);
  if (checked) return {};
  const auto& problem = checked.error();
  const std::string place =
      problem.column == 0 ? "" : fmt::format(" at {}:{}", problem.line, problem.column);
  return fmt::format("\"{}\" is no condition: {}{}", condition, problem.message, place);
}

std::string number_problem(const std::optional<api::IntOrString>& number) {
  std::int64_t value = 0;
  if (!number || !number->is_text || is_templated(number->text)) return {};
  if (api::codec::parse_integer(number->text, value)) return {};
  return fmt::format("\"{}\" is not a whole number; write 3", number->text);
}

std::string count_problem(const std::optional<api::IntOrString>& count) {
  if (std::string problem = number_problem(count); !problem.empty()) return problem;
  if (!count || is_templated(count->text) || count->int_value() >= 0) return {};
  return fmt::format("{} measurements cannot be taken; write 1 or more, or leave it out",
                     count->int_value());
}

std::string time_problem(const api::GoDuration& text) {
  if (text.empty() || is_templated(text.text)) return {};
  const auto value = text.value();
  if (!value || *value >= Duration::zero()) return {};
  return fmt::format("\"{}\" is less than nothing; write 10s, 5m or 1h", text.text);
}

}  // namespace

std::vector<MetricMistake> mistakes_in(const std::vector<Metric>& metrics) {
  std::vector<MetricMistake> mistakes;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    const Metric& metric = metrics[i];
    const std::pair<const char*, std::string> found[] = {
        {"initialDelay", time_problem(metric.initial_delay)},
        {"interval", time_problem(metric.interval)},
        {"count", count_problem(metric.count)},
        {"failureLimit", number_problem(metric.failure_limit)},
        {"inconclusiveLimit", number_problem(metric.inconclusive_limit)},
        {"consecutiveErrorLimit", number_problem(metric.consecutive_error_limit)},
        {"consecutiveSuccessLimit", number_problem(metric.consecutive_success_limit)},
        {"successCondition", condition_problem(metric.success_condition)},
        {"failureCondition", condition_problem(metric.failure_condition)}};
    for (const auto& [field, message] : found)
      if (!message.empty()) mistakes.push_back({.metric = i, .field = field, .message = message});
  }
  return mistakes;
}

std::vector<api::Problem> lint_argo_metrics(const yaml::Document& document) {
  std::vector<api::Problem> problems;
  for (const api::ManifestItem& item : api::list_items(document)) {
    if (!item.value.is_object()) continue;
    const api::Gvk gvk = api::gvk_of(item.value.get_object());
    const bool is_run = gvk.kind == "AnalysisRun";
    if (gvk.group != "argoproj.io" || (!is_run && !gvk.kind.ends_with("AnalysisTemplate")))
      continue;
    api::Findings ignored;
    const auto metrics =
        is_run ? api::decode_leniently<AnalysisRun>(item.value, {}, ignored).spec.metrics
               : api::decode_leniently<AnalysisTemplate>(item.value, {}, ignored).spec.metrics;
    api::LintReport report(document, item.path);
    for (const MetricMistake& mistake : mistakes_in(metrics))
      report.error(fmt::format("spec.metrics[{}].{}", mistake.metric, mistake.field),
                   mistake.message);
    std::ranges::copy(report.problems(), std::back_inserter(problems));
  }
  return problems;
}

}  // namespace slipway::analysis
