#include "scenario/simulated/simulation.h"

#include <fmt/format.h>

#include <set>

#include "api/object.h"
#include "async/sim_loop.h"
#include "runtime/workloads/testing/fake_node.h"
#include "scenario/player/kinds.h"
#include "scenario/player/player.h"
#include "scenario/simulated/checkers.h"
#include "scenario/simulated/program.h"
#include "sim/history.h"
#include "store/embedded.h"

namespace slipway::scenario {

namespace {

constexpr int kMaxWritesToCrash = 60;
constexpr Duration kMaxRestart = std::chrono::milliseconds(500);
constexpr Duration kPatience = std::chrono::minutes(1);
constexpr Duration kSettle = std::chrono::minutes(30);
constexpr Duration kPodStarts = std::chrono::seconds(2);
constexpr Duration kPodStops = std::chrono::seconds(1);

std::string image_of(const json::Object& pod) {
  const json::Value* containers = json::at(pod, {"spec", "containers"});
  return std::string(json::string_at(containers->as_array().at(0), {"image"}));
}

std::string trace_line(const sim::Change& change) {
  static constexpr std::string_view kWords[] = {"added", "modified", "deleted"};
  const json::Value* status = json::at(change.object, {"status"});
  const json::Value* replicas = json::at(change.object, {"spec", "replicas"});
  return fmt::format("{} {} {}/{}{}{} {}\n", change.version, kWords[static_cast<int>(change.type)],
                     change.kind.resource, change.key.name,
                     api::is_deleting(change.object) ? " deleting" : "",
                     replicas ? " replicas=" + json::write(*replicas) : std::string(),
                     status ? json::write(*status) : std::string());
}

class World final : public Stage {
 public:
  World(const Script& script, const SimulationOptions& options)
      : options_(options),
        loop_(make_sim_loop({.shuffle = options.faults, .seed = options.seed})),
        random_(seeded_random(options.seed)),
        spoiling_(*store_, options.spoiler),
        node_(node_manager_, {.start = kPodStarts,
                              .stop = kPodStops,
                              .fate = [this](const json::Object& pod) { return fate(pod); },
                              .binds = true}),
        history_(*loop_, *store_,
                 {kRollouts, kExperiments, kAnalysisRuns, kReplicaSets, kDeployments, kPods,
                  kServices, kHttpRoutes}),
        player_(*this, *registry_, script),
        gate_(*loop_) {
    node_manager_.add(runtime::FakeNode::options(), node_);
  }

  Outcome run() {
    Outcome outcome;
    outcome.finding = run_to_end(*loop_, live());
    outcome.steps = loop_->steps();
    outcome.crashes = crashes_;
    const auto changes = history_.take_changes();
    outcome.changes = changes.size();
    for (const auto& change : changes) outcome.trace += trace_line(change);
    for (const Checker& checker : checkers()) {
      auto finding = checker.check({changes, player_.deeds()});
      if (!finding) continue;
      outcome.unhappy.emplace_back(checker.name);
      if (!outcome.finding.empty()) continue;
      outcome.checker = checker.name;
      outcome.finding = *finding;
    }
    return outcome;
  }

  Loop& loop() override { return *loop_; }
  store::Store& store() override { return *store_; }
  const std::string& ns() const override { return ns_; }
  Duration lasting(Duration scripted) const override { return scripted; }
  Duration patience() const override { return kPatience; }
  bool loses_events() const override { return options_.faults; }
  void prepare(json::Object&) override {}
  void set_metric(const std::string& source, const std::string& name,
                  const std::string& value) override {
    metrics_[{source, name}] = value;
  }
  Task<> set_ready(std::string image, bool ready) override {
    ready ? (void)unready_.erase(image) : (void)unready_.insert(image);
    auto pods = co_await store_->list(kPods, {});
    for (const auto& item : pods->items) {
      json::Object pod = json::read(*item.bytes)->as_object();
      if (image_of(pod) != image || json::string_at(pod, {"status", "phase"}) != "Running")
        continue;
      json::Object condition{{"type", "Ready"},
                             {"status", ready ? "True" : "False"},
                             {"lastTransitionTime", format_time(loop_->clock().now())}};
      json::Object status{{"conditions", json::Array{std::move(condition)}}};
      (void)co_await store_->patch(
          kPods, item.key,
          {.type = store::PatchType::kMerge, .body = json::Object{{"status", std::move(status)}}},
          {.subresource = "status"});
    }
  }

 private:
  using Fate = runtime::FakeNode::Fate;
  Fate fate(const json::Object& pod) const {
    return unready_.contains(image_of(pod)) ? Fate::kNeverReady : Fate::kReady;
  }

  Task<std::string> live() {
    history_.start();
    node_manager_.start();
    if (options_.faults)
      gate_.spawn(crash_and_restart());
    else
      begin();
    std::string finding = co_await player_.play();
    gate_.request_stop();
    co_await gate_.close();
    // No more faults: whatever state the crashes left, it must now come to rest.
    if (program_ && program_->store().crashed()) co_await end();
    if (!program_) begin();
    program_->store().heal();
    co_await sleep_for(*loop_, kSettle);
    co_await end();
    co_await node_manager_.stop();
    co_await history_.stop();
    co_await store_->stop();
    co_return finding;
  }

  void begin() {
    const sim::Faults none{0, 0, 0, 0, std::chrono::milliseconds(1)};
    program_ = std::make_unique<Program>(
        *loop_, spoiling_, *registry_, *random_,
        Program::Options{.faults = options_.faults ? sim::Faults{} : none, .metrics = metrics_});
  }
  Task<> end() {
    co_await program_->stop();
    program_.reset();
  }
  Task<> crash_and_restart() {
    while (!gate_.stop().stop_requested()) {
      begin();
      program_->store().crash_after(static_cast<int>(random_->below(kMaxWritesToCrash)));
      while (!program_->store().crashed())
        if (co_await program_->store().crashed_signal().wait(gate_.stop()) ==
            Signal::Wake::kStopped)
          break;
      if (!program_->store().crashed()) co_return;
      ++crashes_;
      co_await end();
      const auto most = static_cast<std::uint64_t>(kMaxRestart.count());
      co_await sleep_for(*loop_, Duration(random_->below(most)), gate_.stop());
    }
  }

  const SimulationOptions& options_;
  std::string ns_ = "default";
  std::unique_ptr<SimLoop> loop_;
  std::unique_ptr<Random> random_;
  std::unique_ptr<api::Registry> registry_ = api::Registry::make();
  std::unique_ptr<store::EmbeddedStore> store_ =
      store::make_memory_store(*loop_, *registry_, *random_);
  SpoilingStore spoiling_;
  control::Manager node_manager_{*loop_, *store_, *registry_};
  runtime::FakeNode node_;
  sim::History history_;
  MetricValues metrics_;
  std::set<std::string> unready_;
  std::unique_ptr<Program> program_;
  Player player_;
  Gate gate_;
  int crashes_ = 0;
};

}  // namespace

Outcome simulate(const Script& script, const SimulationOptions& options) {
  return World(script, options).run();
}

}  // namespace slipway::scenario
