#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace slipway::analysis::report {

// Values as a row of small bars, oldest first, the least lowest. More than `width` values share
// bars by their means; what is no finite number is a blank; values that are all alike are of middle
// height.
std::string sparkline(std::span<const double> values, std::size_t width);

}  // namespace slipway::analysis::report
