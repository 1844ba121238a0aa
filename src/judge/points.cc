#include "judge/points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "judge/ranks.h"

namespace slipway::judge {

std::vector<double> without_nan(std::span<const double> points) {
  std::vector<double> out;
  out.reserve(points.size());
  std::ranges::copy_if(points, std::back_inserter(out), [](double v) { return !std::isnan(v); });
  return out;
}

Result<> check_sizes(std::span<const double> control, std::span<const double> experiment) {
  for (const auto& [side, name] : {std::pair{control, "control"}, {experiment, "experiment"}})
    if (side.size() > kMaxPoints)
      return fail(
          ErrorCode::kInvalid,
          fmt::format("{} points are too many; a side may have {}", side.size(), kMaxPoints), name);
  return {};
}

std::string no_data_reason(std::size_t control_points, std::size_t experiment_points) {
  if (control_points == 0 && experiment_points == 0) return "no data on either side";
  if (control_points == 0) return "no data for the control";
  if (experiment_points == 0) return "no data for the experiment";
  return {};
}

}  // namespace slipway::judge
