#include <cstddef>
#include <cstdint>
#include <string_view>

#include "analysis/compare/look.h"
#include "analysis/compare/mixer.h"
#include "analysis/compare/samples.h"

namespace {

using namespace slipway;

constexpr Time kNow{std::chrono::seconds(1'700'000'000)};

// A run whose metric compares, with `state` as what it remembers.
api::argo::AnalysisRun run_of(const json::Value& state, std::string method) {
  api::argo::AnalysisRun run;
  api::argo::Metric metric{.name = "m", .interval = {"5m"}, .count = api::IntOrString::of(6)};
  auto& compare = metric.provider.compare.emplace();
  compare.control.prometheus.emplace().query = "rate(a[2m])";
  compare.experiment.prometheus.emplace().query = "rate(b[2m])";
  // Ranks of another time: with a season and placebos, when the state has them.
  if (method == "stratified-rank") compare.control.ago = {"6h"};
  compare.method = std::move(method);
  run.spec.metrics.push_back(std::move(metric));
  run.status.emplace().metric_results.push_back({.name = "m", .state = {.value = state}});
  return run;
}

}  // namespace

// States and samples as a status may hold them, whoever wrote it: none may crash or hang, and what
// was read as samples is written and read alike.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kMaxInput = 4096;
  if (size > kMaxInput) return 0;
  const auto value = json::read(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!value) return 0;
  if (const auto samples = analysis::read_samples(*value)) {
    const json::Value written = analysis::to_json(*samples);
    const auto again = analysis::read_samples(written);
    SLIPWAY_ASSERT(again.has_value());
    SLIPWAY_ASSERT(json::same(analysis::to_json(*again), written));
  }
  (void)analysis::read_mixed(*value);
  for (const char* method : {"", "counts", "mann-whitney", "stratified-rank"}) {
    const auto run = run_of(*value, method);
    metrics::Answer answer;
    auto& points = answer.series.emplace_back().points;
    for (int i = 0; i < 8; ++i) points.push_back({kNow - std::chrono::minutes(i), 1.0 * i});
    const auto looked =
        analysis::judge_look(run, 0, {.control = answer, .experiment = answer}, kNow, kNow);
    SLIPWAY_ASSERT(!looked.measurement.phase.empty());
  }
  return 0;
}
