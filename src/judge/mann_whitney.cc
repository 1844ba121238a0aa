#include "judge/mann_whitney.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "judge/mann_whitney_exact.h"
#include "judge/normal.h"
#include "judge/points.h"

namespace slipway::judge {

namespace {

// So near to alpha that the released recurrence's rounding may fall on the other side.
constexpr double kDecidedByRounding = 1e-9;

struct Sizes {
  std::size_t n = 0;  // experiment
  std::size_t m = 0;  // control
  double product = 0;
};

double untied_p(double u, const Sizes& sizes, Direction direction) {
  const auto at_most = [&](double bound) {
    if (bound < 0) return 0.0;
    if (bound >= sizes.product) return 1.0;
    const auto k = static_cast<std::size_t>(bound);
    const std::size_t mirrored_k = static_cast<std::size_t>(sizes.product) - k - 1;
    if (k <= mirrored_k) return u_lower_tail(sizes.n, sizes.m, k)[k];
    return 1 - u_lower_tail(sizes.n, sizes.m, mirrored_k)[mirrored_k];
  };
  switch (direction) {
    case Direction::kDecrease:
      return at_most(u);
    case Direction::kIncrease:
      return at_most(sizes.product - u);
    case Direction::kEither:
      break;
  }
  const double other = sizes.product - u;
  return u == other ? 1 : std::min(1.0, 2 * at_most(std::min(u, other)));
}

double untied_p_as_released(double u, const Sizes& sizes, Direction direction) {
  switch (direction) {
    case Direction::kDecrease:
      return released_u_cdf(sizes.n, sizes.m, u);
    case Direction::kIncrease:
      return 1 - released_u_cdf(sizes.n, sizes.m, u - 1);
    case Direction::kEither:
      break;
  }
  const double other = sizes.product - u;
  return u == other ? 1 : 2 * released_u_cdf(sizes.n, sizes.m, std::min(u, other));
}

double tied_p_as_released(double u, const TiedU& distribution, const Sizes& sizes,
                          Direction direction) {
  switch (direction) {
    case Direction::kDecrease:
      return distribution.released_at_most(u);
    case Direction::kIncrease:
      return 1 - distribution.released_at_most(u - 1);
    case Direction::kEither:
      break;
  }
  const double other = sizes.product - u;
  return u == other ? 1 : 2 * distribution.released_at_most(std::min(u, other));
}

double tied_p(const Pooled& pooled, const Sizes& sizes, const MannWhitneyOptions& options) {
  const TiedU distribution(pooled.groups, sizes.n);
  if (options.legacy_two_sided)
    return tied_p_as_released(pooled.u, distribution, sizes, options.direction);
  switch (options.direction) {
    case Direction::kDecrease:
      return distribution.at_most(pooled.u);
    case Direction::kIncrease: {
      const double p = distribution.at_least(pooled.u - 0.5);
      const bool near = tied(p, options.alpha, kDecidedByRounding);
      return near ? 1 - distribution.at_most(pooled.u - 1) : p;
    }
    case Direction::kEither:
      break;
  }
  return std::min(1.0,
                  2 * std::min(distribution.at_most(pooled.u), distribution.at_least(pooled.u)));
}

double normal_p(const Pooled& pooled, const Sizes& sizes, Direction direction) {
  const double sigma = std::sqrt(u_variance(sizes.n, sizes.m, pooled.tie_sum));
  const double distance = pooled.u - sizes.product / 2;
  switch (direction) {
    case Direction::kDecrease:
      return normal_cdf((distance + 0.5) / sigma);
    case Direction::kIncrease:
      return normal_upper((distance - 0.5) / sigma);
    case Direction::kEither:
      break;
  }
  const double shrunk = std::max(0.0, std::abs(distance) - 0.5);
  return 2 * normal_upper(shrunk / sigma);
}

std::string reason_of(const Answer& answer, double alpha, std::size_t missing) {
  const bool higher = answer.effect.cles > 0.5;
  std::string reason =
      answer.verdict == Verdict::kFail
          ? fmt::format("the experiment is {}: p {:.4g} is at most alpha {:.4g}",
                        higher ? "higher" : "lower", *answer.p, alpha)
          : fmt::format(
                "no {} shown: p {:.4g} is above alpha {:.4g}",
                answer.direction == Direction::kEither ? "difference" : to_string(answer.direction),
                *answer.p, alpha);
  if (missing > 0)
    reason += fmt::format("; {} missing point{} passed over", missing, missing == 1 ? "" : "s");
  return reason;
}

}  // namespace

double mann_whitney_p(const Pooled& pooled, const MannWhitneyOptions& options) {
  const Sizes sizes{.n = pooled.experiment.size(),
                    .m = pooled.control.size(),
                    .product = static_cast<double>(pooled.experiment.size()) *
                               static_cast<double>(pooled.control.size())};
  if (pooled.groups.size() <= 1) return 1;
  const std::size_t largest = std::max(sizes.n, sizes.m);
  if (pooled.has_ties)
    return largest <= kMaxExactWithTies ? tied_p(pooled, sizes, options)
                                        : normal_p(pooled, sizes, options.direction);
  if (largest > kMaxExact) return normal_p(pooled, sizes, options.direction);
  const double p = untied_p(pooled.u, sizes, options.direction);
  return tied(p, options.alpha, kDecidedByRounding)
             ? untied_p_as_released(pooled.u, sizes, options.direction)
             : p;
}

Result<Answer> judge_mann_whitney(std::span<const double> control,
                                  std::span<const double> experiment,
                                  const MannWhitneyOptions& options) {
  if (!(options.alpha > 0 && options.alpha < 1))
    return fail(ErrorCode::kInvalid,
                fmt::format("{} is not a significance level; write a number between 0 and 1",
                            options.alpha),
                "options.alpha");
  SLIPWAY_TRY(check_sizes(control, experiment));
  const auto y = without_nan(control);
  const auto x = without_nan(experiment);
  Answer answer{.method = "mann-whitney",
                .direction = options.direction,
                .control_points = y.size(),
                .experiment_points = x.size(),
                .reason = {}};
  if (x.empty() || y.empty()) {
    answer.reason = no_data_reason(y.size(), x.size());
    return answer;
  }
  const auto pooled = rank_pooled(y, x);
  answer.p = mann_whitney_p(pooled, options);
  answer.statistic = pooled.u;
  answer.effect = effect_of(pooled, 1 - options.alpha);
  answer.verdict = *answer.p <= options.alpha ? Verdict::kFail : Verdict::kPass;
  answer.reason = pooled.groups.size() == 1
                      ? "all values are equal"
                      : reason_of(answer, options.alpha,
                                  control.size() + experiment.size() - x.size() - y.size());
  return answer;
}

}  // namespace slipway::judge
