#pragma once

#include <string>
#include <utility>

// How the engine gives up inside: thrown deep down, caught in condition.cc. Private to lang/expr.
namespace slipway::lang::expr {

// Characters of the source, from the first to one behind the last.
struct Location {
  int from = 0;
  int to = 0;
};

// A condition that cannot be understood, with the place in the source.
struct SourceFailure {
  std::string message;
  Location at;
};

// An operation that cannot be done with the values it got (what Go calls a panic). The machine adds
// the place.
struct Panic {
  std::string message;
};

[[noreturn]] inline void panic(std::string message) { throw Panic{std::move(message)}; }

}  // namespace slipway::lang::expr
