#pragma once

// The standard normal distribution.
namespace slipway::judge {

double normal_cdf(double z);       // P(Z <= z), by erfc as Go has it
double normal_upper(double z);     // P(Z > z), exact far out where 1 - cdf is 0
double normal_quantile(double p);  // z with cdf(z) = p; -Inf at 0, +Inf at 1

}  // namespace slipway::judge
