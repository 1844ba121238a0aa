#include "analysis/compare/placebo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/run_rules.h"

namespace slipway::analysis {
namespace {

double seconds(const api::GoDuration& text) {
  if (text.empty()) return 0;
  return std::chrono::duration<double>(text.value().value_or(Duration{})).count();
}

std::string in_hours(double seconds) { return fmt::format("{:.3g} h", seconds / 3600); }

// Runs enough for the rate to be told apart from none.
std::size_t runs_for(double alpha) {
  return static_cast<std::size_t>(
      std::clamp(2 / alpha, 199.0, static_cast<double>(judge::kMaxPlacebos)));
}

Result<judge::Calibration> calibration_of(const Look& look, const judge::Plan& plan) {
  const auto& compare = *look.asked().provider.compare;
  if (plan.engine != judge::Engine::kStratifiedRank)
    return fail(ErrorCode::kUnavailable, "stratified-rank is the only method that can be");
  const judge::Series history = compare.control.recorded
                                    ? read_series(compare.control.recorded->points.value)
                                    : judge::Series{};
  const double span = history.times.empty() ? 0 : history.times.back() - history.times.front();
  if (span < judge::kWeekSeconds)
    return fail(ErrorCode::kUnavailable,
                fmt::format("the record spans {}, a week is needed", in_hours(span)));
  double length = seconds(compare.window);
  if (length == 0) length = std::chrono::duration<double>(interval_of(look.asked())).count();
  double step = seconds(compare.step);
  if (step == 0) step = std::min(60.0, length);
  return judge::calibrate(plan, history,
                          {.offset = seconds(compare.control.ago),
                           .look = length,
                           .lead = step,
                           .looks = plan.planned_looks,
                           .runs = runs_for(plan.alpha)});
}

}  // namespace

double placebo_limit(const judge::Calibration& calibration, double alpha) {
  const auto& peaks = calibration.peaks;  // ascending
  const double all = static_cast<double>(peaks.size());
  const auto reached = static_cast<std::size_t>(std::max(1.0, std::floor(alpha * (all + 1))));
  return reached > peaks.size() ? 0 : peaks[peaks.size() - reached];
}

void hold_against_placebos(Look& look, const judge::Plan& plan, judge::Answer& answer) {
  if (seconds(look.asked().provider.compare->control.ago) == 0) return;
  LookState& state = look.state;
  if (!state.placebos && !state.uncalibrated) {
    const auto found = calibration_of(look, plan);
    if (found) {
      state.placebos = {.runs = found->peaks.size(), .limit = placebo_limit(*found, plan.alpha)};
    } else {
      state.uncalibrated = found.error().message;
    }
  }
  if (state.uncalibrated) {
    answer.reason += fmt::format("; not calibrated: {}", *state.uncalibrated);
    return;
  }
  const judge::Look& newest = answer.looks.back();
  if (newest.verdict != judge::Verdict::kInconclusive)
    state.placebos->peak =
        std::max(state.placebos->peak, judge::directed(plan.direction, newest.z));
  const auto& [runs, limit, peak] = *state.placebos;
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
