#pragma once

#include <functional>
#include <string>

#include "base/error.h"
#include "base/time.h"

// Nothing is left behind, however the demo ends.
namespace slipway::cli {

// In the environment of everything a demo starts: its folder.
inline constexpr const char* kDemoMark = "SLIPWAY_DEMO";
// In the folder of a demo, so that no other one is taken for it.
inline constexpr const char* kDemoFile = "demo";

// Makes the folder of a new demo.
Result<std::string> make_demo_folder();

// Runs `work` in a child process and gives its exit code; 1 when it was interrupted, died or took
// longer than `patience`. In the end everything that was started in the folder's name is killed and
// the folder removed, unless `keep` and the work ended by itself. Before there are threads of ours.
int supervise(const std::string& folder, Duration patience, bool keep,
              const std::function<int()>& work);

// Ends a demo that was kept. kNotFound when there is none in the folder.
Result<> end_demo(const std::string& folder);

}  // namespace slipway::cli
