#include "analysis/pipecd/lint_pipecd.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/pipecd/advice.h"

namespace slipway::analysis {

namespace {

using namespace pipecd;

void lint_kind(const yaml::Document& document, const std::string& kind, Report& report) {
  const Fields root = Fields::of(document, report);
  if (is_application_kind(kind)) {
    advise(read_application(root), report);
  } else if (kind == "AnalysisTemplate") {
    TemplateSet templates;
    read_templates(root, templates);
    advise(templates, report);
  } else if (kind == "Piped") {
    advise(read_providers(root), report);
  } else if (kind != "ControlPlane" && kind != "EventWatcher") {
    report.error("kind", fmt::format("\"{}\" is no kind of PipeCD's files", kind));
  }
}

}  // namespace

std::vector<api::Problem> lint_pipecd(const yaml::Document& document, std::size_t index) {
  Report report;
  Report ignored;
  const Fields root = Fields::of(document, ignored);
  if (!root.text("apiVersion").starts_with("pipecd.dev/")) return {};
  lint_kind(document, root.text("kind"), report);
  if (index > 0)
    report.warning("", "PipeCD reads only the first document of a file; slipway reads them all");
  std::vector<api::Problem> problems;
  for (const Report::Finding& finding : report.findings()) {
    const int found =
        finding.field.empty() ? document.line : document.positions.find(finding.field).line;
    const int line = std::max(found, document.line);
    problems.insert(std::ranges::upper_bound(problems, line, {}, &api::Problem::line),
                    {.line = line,
                     .field = finding.field,
                     .severity = finding.severity,
                     .message = finding.message});
  }
  return problems;
}

}  // namespace slipway::analysis
