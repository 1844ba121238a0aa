#include "cli/analyze_fields.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/flagger/canary.h"
#include "api/lint/list_items.h"
#include "api/object.h"
#include "cli/lint_document.h"

namespace slipway::cli {

namespace {

constexpr std::string_view kUnknown = "unknown field";
constexpr std::string_view kNotPipecds = "PipeCD knows no such field";
constexpr std::string_view kInstead = "; ";  // what would be right
constexpr std::string_view kNothing = "has no metrics, logs or https";
constexpr std::string_view kPipecd = "pipecd.dev/";

bool is_analysed(const json::Value& value) {
  if (!value.is_object()) return false;
  const api::Gvk gvk = api::gvk_of(value.get_object());
  if (gvk.group == "argoproj.io")
    return gvk.kind == "AnalysisRun" || gvk.kind == "AnalysisTemplate" ||
           gvk.kind == "ClusterAnalysisTemplate";
  return analysis::flagger::is_canary(value) || analysis::flagger::is_metric_template(value);
}

bool is_checked(const yaml::Document& document) {
  if (json::string_at(document.value, {"apiVersion"}).starts_with(kPipecd)) return true;
  return std::ranges::any_of(api::list_items(document),
                             [](const auto& item) { return is_analysed(item.value); });
}

// PipeCD passes over such fields; what is near one it knows was meant to be that one, and what a
// stage has instead of checks was meant to be checks.
bool is_misspelt(const api::Problem& problem, const std::vector<api::Problem>& all) {
  if (!problem.message.starts_with(kNotPipecds)) return false;
  if (problem.severity == api::Problem::Severity::kError ||
      problem.message.find(kInstead) != std::string::npos)
    return true;
  return std::ranges::any_of(all, [&](const api::Problem& other) {
    return other.message.starts_with(kNothing) && problem.field.starts_with(other.field + ".with.");
  });
}

}  // namespace

Result<std::vector<std::string>> check_fields(const std::vector<Manifest>& manifests) {
  const auto registry = api::Registry::make();
  std::vector<const yaml::Document*> all;
  for (const auto& manifest : manifests) all.push_back(&manifest.document);
  std::vector<std::string> doubts;
  for (const auto& manifest : manifests) {
    if (!is_checked(manifest.document)) continue;
    const auto problems = lint_document(manifest.document, 0, all, *registry);
    for (const auto& problem : problems) {
      const std::string place =
          fmt::format("{}:{}: {}", manifest.file, problem.line, problem.field);
      if (problem.message.starts_with(kUnknown) || is_misspelt(problem, problems))
        return fail(ErrorCode::kInvalid, problem.message, place);
      if (problem.message.starts_with(kNotPipecds))
        doubts.push_back(fmt::format("{}: warning: {}", place, problem.message));
    }
  }
  return doubts;
}

}  // namespace slipway::cli
