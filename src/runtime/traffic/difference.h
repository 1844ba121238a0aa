#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "runtime/traffic/traffic.h"

namespace slipway::runtime::traffic {

// What a running proxy has: the traffic it carries, and servers it was told to leave alone but
// could not forget yet, since connections to them are open.
struct Applied {
  Traffic traffic = {};
  std::set<std::pair<std::string, std::string>> parked = {};  // backend, server
};

// One command of the proxy's socket.
struct Command {
  std::string text = {};
  // What a good answer begins with; empty: nothing is said.
  std::string answer = {};
  // A failure means that connections are still open: another time.
  std::pair<std::string, std::string> forgets = {};
  bool operator==(const Command&) const = default;
};

inline constexpr std::size_t kMaxParked = 500;      // more are got rid of by a reload
inline constexpr std::size_t kMaxCommands = 2'000;  // more are quicker by a reload

struct Change {
  bool reload = false;
  std::vector<Command> commands = {};
  std::set<std::pair<std::string, std::string>> parked = {};  // afterwards
};
// From what runs to what is wanted. New servers come before old ones go.
Change difference(const Applied& now, const Traffic& wanted);

// As much of what is wanted as needs no reload: `now` with the servers of backends that stay what
// they are, and with the weights of rules that are in effect where they were.
Traffic without_reload(const Traffic& now, const Traffic& wanted);

}  // namespace slipway::runtime::traffic
