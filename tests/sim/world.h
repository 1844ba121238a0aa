#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "async/sim_loop.h"
#include "control/garbage.h"
#include "control/namespaces.h"
#include "sim/faulty_store.h"
#include "sim/history.h"
#include "store/embedded.h"

namespace slipway::sim {

// Which controllers run: the real ones, or one replaced by a broken one that a checker must catch.
struct Cast {
  control::GarbageOptions garbage = {};
  std::unique_ptr<control::Reconciler> (*make_namespaces)(control::Manager&) =
      nullptr;  // null: the real one
};

struct Outcome {
  std::string finding = {};  // empty: all checkers are content
  std::string checker = {};  // which one was not
  std::uint64_t steps = 0;   // of the loop
  std::size_t changes = 0;   // of the world
  int crashes = 0;
  std::string trace = {};  // kind, name, version of each change: equal for two runs of one seed
};

// Runs the garbage collector and the namespace controller against a user, faults and crashes, all
// from one seed.
Outcome run_world(std::uint64_t seed, const Cast& cast = {});

}  // namespace slipway::sim
