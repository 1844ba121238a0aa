#include "sim/world.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/user.h"

namespace slipway::sim {

namespace {

constexpr int kOperations = 60;
constexpr int kMaxWritesToCrash = 25;
constexpr Duration kRestart = std::chrono::milliseconds(200);
constexpr Duration kSettle = std::chrono::minutes(10);

// One life of the program's control plane.
struct Incarnation {
  Incarnation(Loop& loop, store::Store& below, api::Registry& registry, Random& random,
              const Cast& cast)
      : store(loop, below, random, {}),
        manager(loop, store, registry),
        recorder(loop, store, random, "garbage-collector-controller"),
        garbage(manager, recorder, cast.garbage) {
    namespaces = cast.make_namespaces ? cast.make_namespaces(manager)
                                      : std::make_unique<control::NamespaceReconciler>(manager);
    manager.add(control::NamespaceReconciler::options(), *namespaces);
    manager.start();
  }

  FaultyStore store;
  control::Manager manager;
  control::Recorder recorder;
  control::GarbageCollector garbage;
  std::unique_ptr<control::Reconciler> namespaces;
};

std::string trace_line(const Change& change) {
  static constexpr std::string_view kWords[] = {"added", "modified", "deleted"};
  std::string owners;
  for (const auto& owner : api::owners_of(change.object))
    owners += fmt::format(" {}/{}{}", owner.name, owner.uid.substr(0, 4),
                          owner.block_owner_deletion ? "!" : "");
  return fmt::format("{} {} {} {}/{} uid {}{} finalizers [{}] owners [{} ]\n", change.version,
                     kWords[static_cast<int>(change.type)], change.kind.resource, change.key.ns,
                     change.key.name, change.uid.substr(0, 4),
                     api::is_deleting(change.object) ? " deleting" : "",
                     fmt::join(api::finalizers_of(change.object), " "), owners);
}

class World {
 public:
  World(std::uint64_t seed, const Cast& cast)
      : loop_(make_sim_loop({.shuffle = true, .seed = seed})),
        random_(seeded_random(seed)),
        cast_(cast),
        registry_(api::Registry::make()),
        store_(store::make_memory_store(*loop_, *registry_, *random_)),
        history_(*loop_, *store_, {kNamespaces, kConfigMaps, kSecrets}),
        user_(*loop_, *store_, *random_),
        gate_(*loop_) {}

  Outcome run() {
    run_to_end(*loop_, live());
    Outcome outcome{.steps = loop_->steps(), .crashes = crashes_};
    const auto changes = history_.take_changes();
    outcome.changes = changes.size();
    for (const auto& change : changes) outcome.trace += trace_line(change);
    for (const auto& checker : checkers()) {
      if (auto finding = checker.check(changes, user_.intent())) {
        outcome.checker = checker.name;
        outcome.finding = *finding;
        break;
      }
    }
    return outcome;
  }

 private:
  Task<> live() {
    history_.start();
    gate_.spawn(crash_and_restart());
    co_await user_.act(kOperations);
    co_await user_.release();
    gate_.request_stop();
    co_await gate_.close();
    // No more faults: whatever state the crashes left, it must now come to rest.
    if (program_ && program_->store.crashed()) co_await end();
    if (!program_) begin();
    program_->store.heal();
    co_await sleep_for(*loop_, kSettle);
    co_await end();
    co_await history_.stop();
    co_await store_->stop();
  }

  void begin() {
    program_ = std::make_unique<Incarnation>(*loop_, *store_, *registry_, *random_, cast_);
  }

  Task<> end() {
    co_await program_->manager.stop();
    co_await program_->recorder.stop();
    program_.reset();
  }

  Task<> crash_and_restart() {
    while (!gate_.stop().stop_requested()) {
      begin();
      program_->store.crash_after(static_cast<int>(random_->below(kMaxWritesToCrash)));
      while (!program_->store.crashed())
        if (co_await program_->store.crashed_signal().wait(gate_.stop()) == Signal::Wake::kStopped)
          break;
      if (!program_->store.crashed()) co_return;
      ++crashes_;
      co_await end();
      co_await sleep_for(*loop_,
                         Duration(random_->below(static_cast<std::uint64_t>(kRestart.count()))),
                         gate_.stop());
    }
  }

  std::unique_ptr<SimLoop> loop_;
  std::unique_ptr<Random> random_;
  Cast cast_;
  std::unique_ptr<api::Registry> registry_;
  std::unique_ptr<store::EmbeddedStore> store_;
  History history_;
  User user_;
  std::unique_ptr<Incarnation> program_;
  Gate gate_;
  int crashes_ = 0;
};

}  // namespace

Outcome run_world(std::uint64_t seed, const Cast& cast) { return World(seed, cast).run(); }

}  // namespace slipway::sim
