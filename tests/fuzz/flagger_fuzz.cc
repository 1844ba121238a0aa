#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analysis/argo/lint_argo_advice.h"
#include "analysis/flagger/compile_flagger.h"
#include "analysis/flagger/lint_flagger.h"

// Any manifests: those that are Canaries compile or are refused with a reason, and what compiles
// asks a provider with a query. Lint names a line of the text, whatever the text is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slipway;
  auto documents = yaml::read(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!documents) return 0;
  std::vector<json::Value> manifests;
  std::vector<const yaml::Document*> all;
  for (const yaml::Document& document : *documents) {
    manifests.push_back(document.value);
    all.push_back(&document);
  }
  const auto find = analysis::find_metric_template_in(manifests);
  for (const yaml::Document& document : *documents) {
    auto compiled = analysis::compile_flagger(document.value, find);
    if (!compiled) SLIPWAY_ASSERT(!compiled.error().message.empty());
    if (compiled)
      for (const auto& metric : compiled->spec.metrics) {
        SLIPWAY_ASSERT(metric.provider.source && metric.check && metric.failure_limit);
        SLIPWAY_ASSERT(metric.failure_limit->number >= 0);
        SLIPWAY_ASSERT(metric.consecutive_success_limit->number >= 1);
        SLIPWAY_ASSERT(metric.interval.value());
      }
    for (const auto& problem : analysis::lint_flagger(document, all))
      SLIPWAY_ASSERT(problem.line >= 1 && !problem.message.empty());
    for (const auto& problem : analysis::lint_argo_advice(document, all))
      SLIPWAY_ASSERT(problem.line >= 1 && !problem.message.empty());
  }
  return 0;
}
