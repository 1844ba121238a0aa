#pragma once

#include <string_view>

namespace slipway::analysis::report {

// What a report's page looks like, light or dark as its reader has it.
extern const std::string_view kPageStyle;
// Copies raw points. The page reads well without it.
extern const std::string_view kPageScript;

}  // namespace slipway::analysis::report
