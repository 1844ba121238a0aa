#pragma once

#include <string>

#include "analysis/report/evidence.h"

// The pictures of one metric, each with its caption; empty when there is nothing to show. Pure.
namespace slipway::analysis::report {

std::string values_chart(const Evidence& evidence);     // over time
std::string statistic_chart(const Evidence& evidence);  // against its boundary, look by look
std::string effect_chart(const Evidence& evidence);     // the last look's, with its interval

}  // namespace slipway::analysis::report
