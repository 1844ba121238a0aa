#pragma once

#include <string_view>

// Phases of measurements, metrics and runs (AnalysisPhase).
namespace slipway::analysis {

inline constexpr std::string_view kPending = "Pending";
inline constexpr std::string_view kRunning = "Running";
inline constexpr std::string_view kSuccessful = "Successful";
inline constexpr std::string_view kFailed = "Failed";
inline constexpr std::string_view kError = "Error";
inline constexpr std::string_view kInconclusive = "Inconclusive";

// Successful, Failed, Error or Inconclusive.
bool is_completed(std::string_view phase);

// Successful < Running < Pending < Inconclusive < Error < Failed; a phase nobody knows is as good
// as Successful.
bool is_worse(std::string_view phase, std::string_view than);

}  // namespace slipway::analysis
