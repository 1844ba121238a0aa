#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analysis/kayenta/compile_kayenta.h"
#include "analysis/kayenta/lint_kayenta.h"

// Any JSON: a canary configuration compiles or is refused with a reason, and what compiles scores
// every metric of it and ends with a look that decides. Lint names a line, whatever the text is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slipway;
  auto documents = yaml::read(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!documents) return 0;
  const std::map<std::string, std::string> args = {{"controlScope", "a"},
                                                   {"experimentScope", "b"},
                                                   {"controlLocation", "eu"},
                                                   {"experimentLocation", "eu"},
                                                   {"address", "http://p"}};
  auto options = analysis::kayenta_options(args, Time{});
  SLIPWAY_ASSERT(options);
  for (const yaml::Document& document : *documents) {
    (void)analysis::is_kayenta_config(document.value);
    for (const auto& problem : analysis::lint_kayenta(document))
      SLIPWAY_ASSERT(problem.line >= 1 && !problem.message.empty());
    auto compiled = analysis::compile_kayenta(document.value, *options);
    if (!compiled) {
      SLIPWAY_ASSERT(!compiled.error().message.empty());
      continue;
    }
    SLIPWAY_ASSERT(!compiled->name.empty() && !compiled->spec.metrics.empty());
    const auto& last = *compiled->spec.metrics.back().provider.score;
    SLIPWAY_ASSERT(!last.pairs.empty() && last.pass && last.marginal);
    for (const auto& pair : last.pairs)
      SLIPWAY_ASSERT(pair.control.source && pair.experiment.source);
  }
  return 0;
}
