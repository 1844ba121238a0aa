#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analysis/history.h"
#include "analysis/pipecd/compile_pipecd.h"
#include "analysis/pipecd/lint_pipecd.h"
#include "analysis/run_rules.h"

namespace {

using namespace slipway;

// A run that comes out of any files can be carried out, and stays so when it is stored.
void check(const analysis::Compiled& compiled) {
  for (const std::string& warning : compiled.warnings) SLIPWAY_ASSERT(!warning.empty());
  if (compiled.spec.metrics.empty()) return;
  SLIPWAY_ASSERT(analysis::rules_of(compiled.spec).has_value());
  for (const auto& metric : compiled.spec.metrics) {
    SLIPWAY_ASSERT(metric.count->number > 0);
    SLIPWAY_ASSERT(metric.failure_limit->number >= 0);
    SLIPWAY_ASSERT(metric.interval.value().has_value());
    SLIPWAY_ASSERT(metric.provider.source.has_value() != metric.provider.compare.has_value());
  }
}

void compile(const std::vector<yaml::Document>& documents, bool compat) {
  std::vector<const yaml::Document*> templates;
  const yaml::Document* piped = nullptr;
  for (const yaml::Document& document : documents) {
    if (analysis::is_pipecd_template(document)) templates.push_back(&document);
    if (analysis::is_piped_config(document)) piped = &document;
  }
  const analysis::PipecdOptions options{
      .app_name = "app", .now = Time(std::chrono::seconds(1'700'000'000)), .compat = compat};
  for (const yaml::Document& document : documents) {
    if (!analysis::is_pipecd_application(document)) continue;
    auto compiled = analysis::compile_pipecd(document, templates, piped, options);
    if (!compiled) {
      SLIPWAY_ASSERT(!compiled.error().message.empty());
    } else {
      for (const auto& one : *compiled) check(one);
    }
    (void)analysis::render_pipecd_queries(document, templates, options);
  }
}

}  // namespace

// PipeCD files of any shape, all in one stream, and records of earlier runs.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (auto history = analysis::parse_history(text)) {
    auto again = analysis::parse_history(analysis::format_history(*history));
    SLIPWAY_ASSERT(again && again->runs.size() == history->runs.size());
  }
  auto documents = yaml::read(text);
  if (!documents) return 0;
  for (const yaml::Document& document : *documents)
    for (const auto& problem : analysis::lint_pipecd(document)) {
      SLIPWAY_ASSERT(problem.line > 0);
      SLIPWAY_ASSERT(!problem.message.empty());
    }
  compile(*documents, false);
  compile(*documents, true);
  return 0;
}
