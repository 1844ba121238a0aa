#include "analysis/compare/placebo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slipway::analysis {
double placebo_limit(const judge::Calibration& calibration, double alpha) {
  const auto& peaks = calibration.peaks;  // ascending
  const double all = static_cast<double>(peaks.size());
  const auto reached = static_cast<std::size_t>(std::max(1.0, std::floor(alpha * (all + 1))));
  return reached > peaks.size() ? 0 : peaks[peaks.size() - reached];
}

void hold_against_placebos(Look& look, const judge::Plan& plan, judge::Answer& answer) {
  LookState& state = look.state;
  if (state.uncalibrated) {
    answer.reason += fmt::format("; not calibrated: {}", *state.uncalibrated);
    return;
  }
  if (!state.placebos) return;
  const judge::Look& newest = answer.looks.back();
  if (newest.verdict != judge::Verdict::kInconclusive)
    state.placebos->peak =
        std::max(state.placebos->peak, judge::directed(plan.direction, newest.z));
  const auto& [runs, limit, peak, made_for] = *state.placebos;
  if (answer.verdict != judge::Verdict::kFail) return;
  // Equal up to rounding is not more, as judge::placebo_p has it.
  if (peak - 1e-9 > limit) {
    answer.reason +=
        fmt::format("; of {} comparisons without a release hardly one reached {:.3g}", runs, peak);
    return;
  }
  answer.verdict = judge::Verdict::kInconclusive;
  answer.reason = fmt::format(
      "a difference that may be the time of day: z {:.3g} at most, where {} comparisons without a "
      "release reach {:.3g} too often for a rate of {:g}",
      peak, runs, limit, plan.alpha);
}

}  // namespace slipway::analysis
