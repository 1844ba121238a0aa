#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "cli/judge_case.h"
#include "judge/estimate.h"
#include "judge/kayenta/classify.h"
#include "judge/mann_whitney.h"

namespace {

using namespace slipway;

constexpr std::size_t kMaxDrawn = 60;

// Whatever a case says, the answer is one, or a clear error; and it can be printed and read.
void judge_text(std::string_view text) {
  (void)cli::read_numbers(text);
  const auto value = json::read(text, {.allow_nan = true});
  if (!value || !value->is_object()) return;
  const auto answer = cli::judge_case(value->get_object());
  if (!answer) {
    SLIPWAY_ASSERT(!answer.error().message.empty());
    return;
  }
  SLIPWAY_ASSERT(json::read(json::write(to_json(*answer))).has_value());
}

std::vector<double> times(std::span<const double> values, double factor) {
  std::vector<double> out(values.begin(), values.end());
  for (double& value : out) value *= factor;
  return out;
}

// Neither the unit nor which side is first decides, and p is a probability.
void judge_points(std::span<const double> control, std::span<const double> experiment) {
  const auto ask = [](std::span<const double> y, std::span<const double> x, double factor) {
    return *judge::judge_mann_whitney(times(y, factor), times(x, factor), {});
  };
  const auto answer = ask(control, experiment, 1);
  if (!answer.p) return;
  SLIPWAY_ASSERT(*answer.p >= 0 && *answer.p <= 1);
  SLIPWAY_ASSERT(answer.effect.low <= answer.effect.shift);
  SLIPWAY_ASSERT(answer.effect.shift <= answer.effect.high);
  SLIPWAY_ASSERT(*ask(control, experiment, 1e-9).p == *answer.p);
  const auto swapped = ask(experiment, control, 1e9);
  SLIPWAY_ASSERT(swapped.verdict == answer.verdict);
  SLIPWAY_ASSERT(std::abs(*swapped.p - *answer.p) < 1e-12);
  for (auto solver : {judge::kayenta::Solver::kExact, judge::kayenta::Solver::kLegacy}) {
    const judge::kayenta::Metric metric{.remove_outliers = true, .solver = solver};
    SLIPWAY_ASSERT(judge::kayenta::classify(control, experiment, metric).has_value());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  judge_text({reinterpret_cast<const char*>(data), size});
  if (size < 2) return 0;
  std::vector<double> points;
  for (std::size_t i = 1; i < size && points.size() < kMaxDrawn; ++i)
    points.push_back((static_cast<double>(data[i]) - 100) / 7);
  const std::size_t cut = data[0] % points.size();
  const std::span<const double> all(points);
  judge_points(all.subspan(0, cut), all.subspan(cut));
  return 0;
}
