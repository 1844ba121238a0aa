#pragma once

#include <cstddef>
#include <string>

#include "analysis/report/evidence.h"

// Pieces of the report's page about one metric. Pure.
namespace slipway::analysis::report {

// `rows` is how many raw points may still be shown; those shown are taken off.
std::string metric_section(const Evidence& evidence, const std::string& id, std::size_t& rows);

// "fail", "pass", "unsure" or "open": the style of a phase.
std::string_view phase_style(std::string_view phase);
std::string badge(std::string_view phase);  // <span …>Failed</span>

}  // namespace slipway::analysis::report
