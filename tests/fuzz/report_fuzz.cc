// Whatever a run's status holds, its page and its table are made, and hold no markup of others.
#include <cstdint>
#include <string>
#include <string_view>

#include "analysis/report/page.h"
#include "analysis/table.h"
#include "api/rules/validate.h"
#include "base/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slipway;
  const auto value = json::read({reinterpret_cast<const char*>(data), size}, {.allow_nan = true});
  if (!value) return 0;
  api::Findings findings;
  const auto run = api::decode_leniently<api::argo::AnalysisRun>(*value, "", findings);
  const std::string page = analysis::report::report_page({&run, 1});
  const auto own = page.find("<script");
  SLIPWAY_ASSERT(own != std::string::npos);
  SLIPWAY_ASSERT(page.find("<script", own + 1) == std::string::npos);
  for (const auto& row : analysis::table_of(run))
    for (const auto& cell : row)
      for (const char c : cell) SLIPWAY_ASSERT(static_cast<unsigned char>(c) >= 0x20);
  return 0;
}
