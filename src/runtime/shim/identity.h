#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace slipway::runtime {

// A process, so that another one that got the same number later is not taken for it.
struct ProcessIdentity {
  pid_t pid = 0;
  std::uint64_t start_ticks = 0;  // since boot, as /proc/PID/stat says
  std::string boot_id = {};

  bool operator==(const ProcessIdentity&) const = default;
};

// Empty when there is no such process, or it has ended and nobody has asked how (a zombie).
std::optional<ProcessIdentity> identify(pid_t pid);
ProcessIdentity identify_self();
bool is_alive(const ProcessIdentity& identity);

// Of this boot of the machine; empty when the system does not say.
std::string boot_id();

}  // namespace slipway::runtime
