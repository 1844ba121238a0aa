#include "judge/kayenta/metric.h"

#include <fmt/format.h>

#include <cmath>

namespace slipway::judge::kayenta {

std::string_view to_string(Label label) {
  switch (label) {
    case Label::kPass:
      return "Pass";
    case Label::kHigh:
      return "High";
    case Label::kLow:
      return "Low";
    case Label::kNodata:
      return "Nodata";
    case Label::kNodataFailMetric:
      return "NodataFailMetric";
    case Label::kError:
      break;
  }
  return "Error";
}

Result<> check(const Metric& metric) {
  const auto refuse = [](double value, std::string_view what, std::string_view option) {
    return fail(ErrorCode::kInvalid, fmt::format("{} is not {}", value, what),
                fmt::format("options.{}", option));
  };
  if (!(metric.tolerance >= 0 && std::isfinite(metric.tolerance)))
    return refuse(metric.tolerance, "a share; write 0 or more, such as 0.25", "tolerance");
  if (!(metric.confidence > 0 && metric.confidence < 1))
    return refuse(metric.confidence, "a confidence; write a number between 0 and 1", "confidence");
  if (!(metric.outlier_factor > 0 && std::isfinite(metric.outlier_factor)))
    return refuse(metric.outlier_factor, "a factor; write a number above 0", "outlierFactor");
  return {};
}

}  // namespace slipway::judge::kayenta
