#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.h"
#include "cli/session.h"

namespace slipway::cli {

// What -w shows is drawn for people. kInvalid with another format; `what` is what get takes.
Result<> check_drawn(bool watch, Format format, std::string_view what);

// What one look at something that goes on shows.
struct Look {
  // All of it, as it is at `now`: times that are told go by without another look.
  std::move_only_function<std::string(Time now)> draw = {};
  std::string state = {};         // in a line; where nothing is redrawn, only its changes are told
  std::optional<int> ended = {};  // the exit code, once there is nothing more to wait for
};
struct Looking {
  std::function<Task<Result<Look>>()> look = {};
  // Targets of lists: a change in one of them makes another look worthwhile.
  std::vector<std::string> lists = {};
};

// Drawn in its place on a terminal; elsewhere printed whenever its state has changed. Until it has
// ended, or somebody interrupts. Here and below, a server that answered and is gone for less than a
// minute is waited for.
Task<int> follow(Session& session, Looking at);

// Prints the last state, in between notes it on a terminal. `late` is what is said when the end
// does not come within `timeout` (kExitFailed then).
struct Patience {
  std::optional<Duration> timeout = {};  // none: as long as it takes
  std::string late = {};
  // What more there is to print when it ends badly, or not in time; empty: nothing.
  std::function<Task<std::string>()> explain = {};
};
Task<int> wait_until_ended(Session& session, Looking at, Patience patience);

// The value of a flag that says how long; none when it is empty. kInvalid names the flag.
Result<std::optional<Duration>> parse_how_long(std::string_view flag, const std::string& text);

}  // namespace slipway::cli
