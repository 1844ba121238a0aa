#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"

// What is done to a side's points before any test sees them.
namespace slipway::judge {

std::vector<double> without_nan(std::span<const double> points);

// kInvalid when a side has more than kMaxPoints.
Result<> check_sizes(std::span<const double> control, std::span<const double> experiment);

// Why nothing can be judged: which side has no points.
std::string no_data_reason(std::size_t control_points, std::size_t experiment_points);

}  // namespace slipway::judge
