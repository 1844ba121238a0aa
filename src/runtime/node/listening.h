#pragma once

#include <cstdint>

namespace slipway::runtime {

// Whether a connection to this address and port would reach a program that listens at all addresses
// of the machine. Programs of Pods never do: theirs are bound to their Pod's. False when nobody
// listens, and where the kernel does not tell.
//
// Asks the kernel for the one socket, which takes microseconds whatever else is open.
bool is_reached_by_wildcard(std::uint32_t address, std::uint16_t port);

}  // namespace slipway::runtime
