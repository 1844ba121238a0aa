#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

// A shim uses little of the program it is. Starting it has touched much more: every library's
// tables. Given back, that is neither resident nor mapped, times the number of Pods.
namespace slipway::runtime {

struct MemoryRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool operator==(const MemoryRange&) const = default;
};

// The mappings of /proc/PID/smaps that hold nothing but what is in a file: not writable, and never
// written (the loader writes to some before it makes them read-only).
std::vector<MemoryRange> find_reloadable(std::string_view smaps);

// Gives back all of those; what is needed comes back by itself.
void shed_memory();

}  // namespace slipway::runtime
