#pragma once

#include <cstdint>
#include <memory>

#include "async/loop.h"
#include "base/random.h"

namespace slipway {

// A loop with virtual time: when nothing is left to do now, the clock jumps to the next timer, and
// run() also ends when there is none. Deterministic: from one seed, the same order of everything.
// With `shuffle`, work that is ready at the same moment runs in a seeded order, not in the order
// posted.
struct SimOptions {
  Time start = Time(std::chrono::seconds(1'767'225'600));  // 2026-01-01T00:00:00Z
  Duration run_limit = std::chrono::hours(24 * 365);       // run() ends here, so that nothing hangs
  bool shuffle = false;
  std::uint64_t seed = 1;
};
class SimLoop : public Loop {
 public:
  // Runs for `duration` of virtual time, then returns.
  virtual void run_for(Duration duration) = 0;
  // How many pieces of work have run: two runs of one seed agree.
  virtual std::uint64_t steps() const = 0;
};
std::unique_ptr<SimLoop> make_sim_loop(SimOptions options = {});

}  // namespace slipway
