#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "async/gate.h"
#include "async/limit.h"
#include "control/cache.h"
#include "control/queue.h"
#include "control/reconciler.h"

namespace slipway::control {

// Brings a key up, as a change of its object would. Valid as long as the manager.
using BringUp = std::function<void(const store::Key&)>;

// A controller as the manager runs it.
struct ControllerOptions {
  std::string name;
  api::Gvr kind;                    // each change of such an object brings its key up
  std::vector<api::Gvr> owns = {};  // a change of such an object brings up the one that controls it
  int workers = 4;                  // at most, at a time
  Backoff backoff = {};
  std::vector<api::Gvr> needs = {};  // no look before the caches of these are complete, too
  // Called once, when the controller is added: for whatever else makes a look worthwhile.
  std::function<void(BringUp)> subscribe = {};
};

// Runs controllers on one loop: shared caches, a queue and workers each, an orderly stop.
//
// For one term: once stopped it stays stopped, and whoever leads again makes another.
class Manager {
 public:
  Manager(Loop& loop, store::Store& store, api::Registry& registry);
  ~Manager();

  // The shared cache of a kind; made (and started, when the manager runs) at the first call.
  Cache& cache(const api::Gvr& kind);

  // `reconciler` must outlive the manager's stop(). Before start().
  void add(ControllerOptions options, Reconciler& reconciler);
  // A background job that is neither: started with the manager, stopped through the token.
  void add_job(std::function<Task<>(std::stop_token)> job);

  // Once.
  void start();
  // No new work, running reconciles end, caches stop. What is asked of the manager from then on (a
  // cache of a kind that has just come) is made but does not run.
  Task<> stop();

  Loop& loop() { return loop_; }
  store::Store& store() { return store_; }
  api::Registry& registry() { return registry_; }

  struct Depth {
    std::string name;
    std::size_t keys = 0;
  };
  std::vector<Depth> depths() const;

 private:
  struct Controller;
  // Gives each key that comes up a worker, as many at a time as the controller may have.
  Task<> hand_out(Controller& controller);
  Task<> work(Controller& controller, store::Key key, Limit::Permit place);

  Loop& loop_;
  store::Store& store_;
  api::Registry& registry_;
  std::map<api::Gvr, std::unique_ptr<Cache>> caches_;
  std::vector<std::unique_ptr<Controller>> controllers_;
  std::vector<std::function<Task<>(std::stop_token)>> jobs_;
  Gate gate_;
  enum class Phase { kBuilt, kRunning, kStopped } phase_ = Phase::kBuilt;
};

}  // namespace slipway::control
