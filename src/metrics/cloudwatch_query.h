#pragma once

#include <string_view>

#include "metrics/provider.h"

namespace slipway::metrics {

inline constexpr std::size_t kMaxMetricDataQueries = 500;  // CloudWatch's own limit

// A JSON list of MetricDataQuery, in AWS' or Argo's spelling, as parameters of the query protocol:
// MetricDataQueries.member.1.Id=…. Errors: kInvalid, "error unmarshaling query: …".
Result<Labels> cloudwatch_parameters(std::string_view text);

}  // namespace slipway::metrics
