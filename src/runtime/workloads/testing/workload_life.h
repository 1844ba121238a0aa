#pragma once

#include <memory>

#include "runtime/workloads/testing/workload_fixture.h"
#include "runtime/workloads/workloads.h"

namespace slipway::runtime {

// One life of the program with all workload controllers.
struct WorkloadLife {
  WorkloadLife(SimLoop& on, store::Store& below, api::Registry& registry, Random& random)
      : loop(on), store(on, below), manager(on, store, registry), workloads(manager, random) {}
  void end() {
    run_to_end(loop, manager.stop());
    run_to_end(loop, workloads.stop());
  }

  SimLoop& loop;
  control::MortalStore store;
  control::Manager manager;
  Workloads workloads;
};

struct WorkloadLifeFixture : WorkloadFixture {
  void begin() {
    life = std::make_unique<WorkloadLife>(*loop, *store, *registry, *random);
    life->manager.start();
  }
  void end() {
    if (life) life->end();
    life.reset();
  }
  // A life that ends at its n-th write, and one after it.
  void live_twice(int n, bool happens, Duration each) {
    life->store.dies_at = life->store.writes + n;
    life->store.last_happens = happens;
    loop->run_for(each);
    end();
    begin();
    loop->run_for(each);
  }
  ~WorkloadLifeFixture() override { end(); }

  std::unique_ptr<WorkloadLife> life;
};

}  // namespace slipway::runtime
