#include "judge/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "judge/sequential/sequential.h"

namespace slipway::judge {
namespace {

// Evidence of one look of a placebo whose experiment begins at `start`.
Evidence look_at(const Series& history, const PlaceboPlan& placebos, double start, int look) {
  const double lead = look == 0 ? placebos.lead : 0;
  const double from = start + look * placebos.look;
  auto side = [&](double begin) {
    const auto values = values_between(history, begin - lead, begin + placebos.look);
    return Side{.points = {values.begin(), values.end()}};
  };
  return {.control = side(from - placebos.offset), .experiment = side(from)};
}

bool touches(const PlaceboPlan& placebos, double start) {
  const double length = placebos.look * placebos.looks;
  auto meets = [&](double begin) {
    return std::ranges::any_of(placebos.deployments, [&](const auto& span) {
      return begin < span.second && begin + length > span.first;
    });
  };
  return meets(start) || meets(start - placebos.offset);
}

std::vector<double> starts(const Series& history, const PlaceboPlan& placebos) {
  std::vector<double> found;
  const double first = history.times.front() + placebos.offset;
  const double last = history.times.back() - placebos.look * placebos.looks;
  const std::size_t wanted = std::clamp(placebos.runs, kMinPlacebos, kMaxPlacebos);
  // More starts than wanted are tried, because some fall on deployments.
  const std::size_t tries = 4 * wanted;
  for (std::size_t i = 0; i < tries && last > first; ++i) {
    const double start =
        first + (last - first) * static_cast<double>(i) / static_cast<double>(tries - 1);
    if (!touches(placebos, start)) found.push_back(start);
  }
  std::vector<double> spread;
  const std::size_t count = std::min(wanted, found.size());
  for (std::size_t i = 0; i < count; ++i) spread.push_back(found[i * found.size() / count]);
  return spread;
}

std::optional<double> peak_of(const Plan& plan, const Series& history, const PlaceboPlan& placebos,
                              double start) {
  auto monitor = Monitor::start(plan);
  if (!monitor) return std::nullopt;
  double peak = 0;
  bool judged = false;
  for (int look = 0; look < placebos.looks; ++look) {
    auto answer = monitor->look(look_at(history, placebos, start, look));
    if (!answer) return std::nullopt;
    const Look& taken = answer->looks.front();
    if (taken.verdict == Verdict::kInconclusive) continue;
    judged = true;
    peak = std::max(peak, directed(plan.direction, taken.z));
  }
  if (!judged) return std::nullopt;
  return peak;
}

}  // namespace

double directed(Direction direction, double z) {
  switch (direction) {
    case Direction::kIncrease:
      return z;
    case Direction::kDecrease:
      return -z;
    case Direction::kEither:
      return std::abs(z);
  }
  return z;
}

Result<Calibration> calibrate(const Plan& wanted, const Series& history,
                              const PlaceboPlan& placebos) {
  Plan plan = wanted;
  plan.describe = false;
  // Only z is asked of a placebo, so no look of it may end the run.
  plan.monitoring = Monitoring::kNone;
  plan.engine = Engine::kStratifiedRank;
  if (plan.planned_looks == 0) plan.planned_looks = placebos.looks;
  SLIPWAY_TRY(check(plan));
  if (!(placebos.offset > 0 && placebos.look > 0) || placebos.looks < 1 ||
      placebos.looks > kMaxLooks || history.times.size() > kMaxHistoryPoints) {
    return fail(
        ErrorCode::kInvalid,
        fmt::format("placebos of {} looks of {} s, {} s apart, over {} points cannot be run",
                    placebos.looks, placebos.look, placebos.offset, history.times.size()));
  }
  Calibration calibration;
  if (!history.times.empty()) {
    for (double start : starts(history, placebos)) {
      if (auto peak = peak_of(plan, history, placebos, start)) calibration.peaks.push_back(*peak);
    }
  }
  if (calibration.peaks.size() < kMinPlacebos) {
    return fail(ErrorCode::kUnavailable,
                fmt::format("the history has room for {} placebo runs; at least {} are needed",
                            calibration.peaks.size(), kMinPlacebos));
  }
  std::ranges::sort(calibration.peaks);
  return calibration;
}

double placebo_p(const Calibration& calibration, double peak) {
  const auto& peaks = calibration.peaks;
  // Equal up to rounding counts as reached: that errs towards passing.
  const auto reached = peaks.end() - std::ranges::lower_bound(peaks, peak - 1e-9);
  return (1 + static_cast<double>(reached)) / (static_cast<double>(peaks.size()) + 1);
}

}  // namespace slipway::judge
