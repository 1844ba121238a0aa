#include "judge/kayenta/classify.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "judge/effect.h"
#include "judge/estimate.h"
#include "judge/kayenta/legacy_interval.h"
#include "judge/mann_whitney.h"
#include "judge/normal.h"
#include "judge/points.h"
#include "judge/ranks.h"

namespace slipway::judge::kayenta {

namespace {

using Points = std::vector<double>;

// Relative width of what separates the points of a constant side.
constexpr double kSpread = 1e-5;

double tolerance_of(const Metric& metric) {
  return metric.solver == Solver::kExact ? kTieTolerance : 0;
}

// As Apache Commons has it: a second pass takes away the rounding of the first.
double two_pass_mean(const Points& points) {
  const auto count = static_cast<double>(points.size());
  const double first = mean(points);
  double rest = 0;
  for (double point : points) rest += point - first;
  return first + rest / count;
}

// A mean that is 0 but for rounding is 0 in any unit.
bool vanishes(double mean_value, const Points& points, double tolerance) {
  double size = 0;
  for (double point : points) size += std::abs(point);
  return std::abs(mean_value) <= tolerance * size / static_cast<double>(points.size());
}

double ratio_of_means(const Points& control, const Points& experiment, double tolerance) {
  const double base = two_pass_mean(control);
  const double other = two_pass_mean(experiment);
  if (vanishes(base, control, tolerance) || vanishes(other, experiment, tolerance))
    return Effect::kUnknown;
  return other / base;
}

bool constant(const Points& points) {
  return std::ranges::all_of(points, [&](double point) { return point == points.front(); });
}

Points spread(const Points& points) {
  Points out = points;
  const auto count = static_cast<double>(points.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] += kSpread * out[i] * normal_quantile((static_cast<double>(i) + 0.5) / count);
  return out;
}

std::optional<ShiftEstimate> interval_of(const Pooled& pooled, const Metric& metric) {
  if (metric.solver == Solver::kExact) return estimate_shift(pooled, metric.confidence);
  if (constant(pooled.control) && constant(pooled.experiment))
    return legacy_interval(spread(pooled.control), spread(pooled.experiment), metric.confidence);
  return legacy_interval(pooled.control, pooled.experiment, metric.confidence);
}

struct Gates {
  double allowed_increase = 0;
  double allowed_decrease = 0;
  double critical_increase = 0;
  double critical_decrease = 0;
};

Gates gates_of(const EffectSize& size) {
  const double none = size.measure == Measure::kCles ? 0.5 : 1.0;
  return {.allowed_increase = size.allowed_increase.value_or(none),
          .allowed_decrease = size.allowed_decrease.value_or(none),
          .critical_increase = size.critical_increase.value_or(none),
          .critical_decrease = size.critical_decrease.value_or(none)};
}

// How far the interval must keep from 0, with room for the rounding of values of this size.
struct Band {
  double width = 0;
  double rounding = 0;
};

Band band_of(const ShiftEstimate& estimate, const Pooled& pooled, const Metric& metric) {
  const double width = metric.tolerance * std::abs(estimate.shift);
  if (metric.solver == Solver::kLegacy) return {.width = width};
  const double size = std::max(std::abs(pooled.control[pooled.control.size() / 2]),
                               std::abs(pooled.experiment[pooled.experiment.size() / 2]));
  return {.width = width, .rounding = kTieTolerance * std::max(size, width)};
}

struct Labelled {
  Label label = Label::kPass;
  bool critical = false;
};

Labelled label_of(const ShiftEstimate& estimate, const Band& band, double effect,
                  const Metric& metric) {
  const auto gates = gates_of(metric.effect_size);
  const auto reaches = [&](double gate, double sign) {
    return std::isnan(effect) || sign * effect >= sign * gate ||
           tied(effect, gate, tolerance_of(metric));
  };
  const double edge = band.width + band.rounding;
  if (metric.direction != Direction::kDecrease && estimate.low > edge &&
      reaches(gates.allowed_increase, 1))
    return {Label::kHigh, metric.critical && reaches(gates.critical_increase, 1)};
  if (metric.direction != Direction::kIncrease && estimate.high < -edge &&
      reaches(gates.allowed_decrease, -1))
    return {Label::kLow, metric.critical && reaches(gates.critical_decrease, -1)};
  return {};
}

std::string reason_of(Label label, const ShiftEstimate& estimate, const Band& band,
                      const Metric& metric) {
  const std::string interval = fmt::format("the {:.4g} % interval of the shift is {:.4g} to {:.4g}",
                                           100 * metric.confidence, estimate.low, estimate.high);
  if (label == Label::kHigh)
    return fmt::format("the experiment is higher: {}, above {:.4g}", interval, band.width);
  if (label == Label::kLow)
    return fmt::format("the experiment is lower: {}, below {:.4g}", interval, -band.width);
  const bool shown = (metric.direction != Direction::kDecrease && estimate.low > band.width) ||
                     (metric.direction != Direction::kIncrease && estimate.high < -band.width);
  return fmt::format(
      "{}: {}", shown ? "a difference within what is allowed" : "no difference shown", interval);
}

Verdict verdict_of(Label label, bool critical) {
  switch (label) {
    case Label::kPass:
      return Verdict::kPass;
    case Label::kHigh:
    case Label::kLow:
    case Label::kNodataFailMetric:
      return Verdict::kFail;
    case Label::kNodata:
      return critical ? Verdict::kFail : Verdict::kInconclusive;
    case Label::kError:
      break;
  }
  return Verdict::kInconclusive;
}

Classification& decided(Classification& out, Label label, bool critical, std::string reason) {
  out.label = label;
  out.critical = critical;
  out.answer.label = to_string(label);
  out.answer.critical = critical;
  out.answer.verdict = verdict_of(label, critical);
  out.answer.reason = std::move(reason);
  return out;
}

Classification& without_data(Classification& out, const Metric& metric) {
  auto reason = no_data_reason(out.control.count, out.experiment.count);
  out.answer.effect.ratio = 1;
  if (metric.nan_strategy == NanStrategy::kReplace)
    return decided(out, Label::kPass, false, reason + ", taken as 0 on both");
  if (metric.must_have_data && !metric.critical)
    return decided(out, Label::kNodataFailMetric, false, reason + ", which it must have");
  return decided(out, Label::kNodata, metric.critical, std::move(reason));
}

Classification& compared(Classification& out, const Pooled& pooled, const Metric& metric) {
  const auto estimate = interval_of(pooled, metric);
  if (!estimate)
    return decided(out, Label::kError, false,
                   "the legacy solver found all values tied; the exact one has an answer");
  auto& effect = out.answer.effect;
  effect.shift = estimate->shift;
  effect.low = estimate->low;
  effect.high = estimate->high;
  const bool by_cles = metric.effect_size.measure == Measure::kCles;
  const auto band = band_of(*estimate, pooled, metric);
  const auto [label, critical] =
      label_of(*estimate, band, by_cles ? effect.cles : out.ratio, metric);
  decided(out, label, critical, reason_of(label, *estimate, band, metric));
  if (std::isinf(estimate->low) && std::isinf(estimate->high) && metric.solver == Solver::kExact) {
    out.answer.verdict = Verdict::kInconclusive;
    out.answer.reason =
        fmt::format("{} against {} points are too few for an interval of {:.4g} % confidence",
                    out.control.count, out.experiment.count, 100 * metric.confidence);
  }
  return out;
}

}  // namespace

Result<Classification> classify(std::span<const double> control, std::span<const double> experiment,
                                const Metric& metric) {
  SLIPWAY_TRY(check(metric));
  SLIPWAY_TRY(check_sizes(control, experiment));
  const auto y = cleaned(control, metric);
  const auto x = cleaned(experiment, metric);
  Classification out{.control = summarise(y), .experiment = summarise(x)};
  out.answer = {.method = "kayenta",
                .direction = metric.direction,
                .control_points = y.size(),
                .experiment_points = x.size(),
                .reason = {}};
  if (x.empty() || y.empty()) return without_data(out, metric);
  const auto pooled = rank_pooled(y, x, tolerance_of(metric));
  out.answer.statistic = pooled.u;
  out.answer.p = mann_whitney_p(pooled, {.direction = metric.direction});
  out.answer.effect.cles = cles(pooled.u, y.size(), x.size());
  const bool identical = pooled.control == pooled.experiment;
  out.ratio = identical ? 1 : ratio_of_means(y, x, tolerance_of(metric));
  out.answer.effect.ratio = out.ratio;
  if (!identical && pooled.groups.size() > 1) return compared(out, pooled, metric);
  out.ratio = out.answer.effect.ratio = 1;
  out.answer.effect.shift = 0;
  return decided(out, Label::kPass, false,
                 identical ? "both sides are identical" : "all values are equal");
}

Result<Answer> judge_kayenta(std::span<const double> control, std::span<const double> experiment,
                             const Metric& metric) {
  auto classified = classify(control, experiment, metric);
  if (!classified) return std::unexpected(std::move(classified).error());
  return std::move(classified->answer);
}

}  // namespace slipway::judge::kayenta
