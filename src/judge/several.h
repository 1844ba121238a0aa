#pragma once

#include <span>
#include <vector>

// Several metrics that together may fail a healthy release with one small chance.
namespace slipway::judge {

inline constexpr double kDefaultFalseRollbackRate = 0.05;

// What each metric may spend of `rate`, by weight: fixed before the first look, so no metric's
// stopping depends on another's. A weight that is not above 0 gets nothing and is not to be judged.
std::vector<double> shared_alpha(double rate, std::span<const double> weights);

// Which metrics fail, by p-values that are valid at any look (running minima): Holm's steps,
// weighted. Never fewer than with fixed shares. For one decision at the end, or after each look.
std::vector<bool> fail_by_holm(double rate, std::span<const double> p,
                               std::span<const double> weights = {});

// Which metrics differ with a false share of at most `rate` among those named, by log e-values,
// under any dependence. For reports: a rollback is a matter of the rate above.
std::vector<bool> discover_by_e_values(double rate, std::span<const double> log_e);

}  // namespace slipway::judge
