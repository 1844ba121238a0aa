#include "sim/workload_world.h"

#include <fmt/format.h>

#include <map>

#include "async/sim_loop.h"
#include "runtime/workloads/conditions.h"
#include "runtime/workloads/testing/fake_node.h"
#include "runtime/workloads/workloads.h"
#include "sim/faulty_store.h"
#include "store/embedded.h"

namespace slipway::sim {

namespace {

using namespace runtime;
using namespace std::chrono_literals;

constexpr int kOperations = 25;
constexpr int kMaxWritesToCrash = 30;
constexpr int kApps = 3;
constexpr Duration kSettle = std::chrono::minutes(12);

constexpr std::string_view kTooManyPods = "too_many_pods";
constexpr std::string_view kUncounted = "pod_not_counted";
constexpr std::string_view kWrongNumber = "wrong_number_of_pods";
constexpr std::string_view kDeploymentOpen = "deployment_did_not_end";
constexpr std::string_view kJobOpen = "job_did_not_end";
constexpr std::string_view kSlices = "slices_list_others";

json::Value pod_template(const std::string& app, int version, std::string_view restart) {
  return *json::read(fmt::format(
      R"({{"metadata":{{"labels":{{"app":"{}"}}}},"spec":{{"nodeName":"slipway",
          "restartPolicy":"{}","containers":[{{"name":"c","image":"i:{}"}}]}}}})",
      app, restart, version));
}

// One life of the program's workload controllers.
struct Life {
  Life(Loop& loop, store::Store& below, api::Registry& registry, Random& random, Mistake mistake)
      : broken(below, mistake),
        store(loop, broken, random, {}),
        manager(loop, store, registry),
        workloads(manager, random) {
    manager.start();
  }
  BrokenStore broken;
  FaultyStore store;
  control::Manager manager;
  Workloads workloads;
};

class World {
 public:
  World(std::uint64_t seed, Mistake mistake)
      : mistake_(mistake),
        loop_(make_sim_loop({.shuffle = true, .seed = seed})),
        random_(seeded_random(seed)),
        node_(node_manager_, {.fate = [this](const json::Object& pod) { return fate(pod); }}),
        gate_(*loop_) {
    node_manager_.add(FakeNode::options(), node_);
    node_manager_.cache(kPods).on_change(
        [this](const store::Item*, const store::Item*) { count_pods(); });
    node_manager_.start();
  }

  WorkloadOutcome run() {
    run_to_end(*loop_, live());
    return std::move(outcome_);
  }

 private:
  FakeNode::Fate fate(const json::Object& pod) const {
    const auto owner = api::controller_of(pod);
    if (!owner || owner->kind != "Job") return FakeNode::Fate::kReady;
    return api::uid_of(pod).front() % 3 == 0 ? FakeNode::Fate::kFails : FakeNode::Fate::kSucceeds;
  }

  // No ReplicaSet ever has more Pods that count than it was ever asked for.
  void count_pods() {
    std::map<std::string, int> active;
    for (const store::Item* item : node_manager_.cache(kPods).list()) {
      const PodView pod = view_pod(*item, json::read(*item->bytes)->as_object());
      if (pod.is_active() && pod.controller_kind == "ReplicaSet") ++active[pod.controller_uid];
    }
    for (const auto& [uid, count] : active)
      if (count > most_asked_)
        find(kTooManyPods, fmt::format("{} Pods of a set, asked {}", count, most_asked_));
  }
  void find(std::string_view checker, std::string what) {
    if (!outcome_.finding.empty()) return;
    outcome_.checker = checker;
    outcome_.finding = std::move(what);
  }

  Task<> live() {
    gate_.spawn(crash_and_restart());
    for (int i = 0; i < kOperations; ++i) {
      co_await act();
      co_await sleep_for(*loop_, std::chrono::milliseconds(random_->below(4000)));
    }
    gate_.request_stop();
    co_await gate_.close();
    if (life_ && life_->store.crashed()) co_await end();
    if (!life_) begin();
    life_->store.heal();
    co_await sleep_for(*loop_, kSettle);
    co_await check();
    co_await end();
    co_await node_manager_.stop();
    co_await store_->stop();
  }

  Task<> act() {
    const int which = static_cast<int>(random_->below(kApps));
    const std::string app = fmt::format("app{}", which);
    switch (random_->below(5)) {
      case 0:
        co_await make_job();
        break;
      case 1:
        co_await delete_a_pod();
        break;
      default:
        co_await roll(app);
    }
  }

  Task<> roll(std::string app) {
    const int replicas = static_cast<int>(random_->below(6));
    const int version = static_cast<int>(random_->below(4));
    most_asked_ = std::max(most_asked_, replicas + 2);  // and 25 % of surge
    json::Object spec{{"replicas", replicas}, {"template", pod_template(app, version, "Always")}};
    const store::Key key{"default", app};
    if (!(co_await store_->get(kDeployments, key))) {
      spec["selector"] = *json::read(fmt::format(R"({{"matchLabels":{{"app":"{}"}}}})", app));
      json::Object made{{"metadata", json::Object{{"name", app}}}, {"spec", std::move(spec)}};
      (void)co_await store_->create(kDeployments, "default", std::move(made), {});
      json::Value service = *json::read(fmt::format(
          R"({{"metadata":{{"name":"{0}"}},"spec":{{"selector":{{"app":"{0}"}},
              "ports":[{{"port":80}}]}}}})",
          app));
      (void)co_await store_->create(kServices, "default", service.as_object(), {});
      co_return;
    }
    (void)co_await store_->patch(
        kDeployments, key,
        {.type = store::PatchType::kMerge, .body = json::Object{{"spec", std::move(spec)}}}, {});
  }

  Task<> make_job() {
    json::Object spec{{"completions", 1 + static_cast<int>(random_->below(4))},
                      {"parallelism", 1 + static_cast<int>(random_->below(3))},
                      {"backoffLimit", 4},
                      {"template", pod_template("job", 1, "Never")}};
    json::Object made{{"metadata", json::Object{{"name", fmt::format("job{}", jobs_++)}}},
                      {"spec", std::move(spec)}};
    (void)co_await store_->create(kJobs, "default", std::move(made), {});
  }

  Task<> delete_a_pod() {
    auto page = co_await store_->list(kPods, {});
    if (!page || page->items.empty()) co_return;
    const auto& item = page->items[random_->below(page->items.size())];
    (void)co_await store_->remove(kPods, item.key, {});
  }

  Task<> check() {
    std::map<std::string, int> active;
    auto pods = co_await store_->list(kPods, {});
    for (const auto& item : pods->items) {
      const PodView pod = view_pod(item, json::read(*item.bytes)->as_object());
      if (pod.is_active())
        for (const auto& [key, value] : pod.labels)
          if (key == "app") ++active[value];
      if (pod.tracked) find(kUncounted, "a Pod was never counted: " + pod.key.name);
      outcome_.trace += fmt::format("{} {}\n", pod.key.name, item.version);
    }
    auto deployments = co_await store_->list(kDeployments, {});
    for (const auto& item : deployments->items) {
      const json::Value one = *json::read(*item.bytes);
      const auto wanted = one.at("spec").at("replicas").to_number<int>();
      if (active[item.key.name] != wanted)
        find(kWrongNumber,
             fmt::format("{} has {} Pods, not {}", item.key.name, active[item.key.name], wanted));
      const json::Object* progress = condition_in(one.at("status").as_object(), "Progressing");
      if (!progress || progress->at("reason") != "NewReplicaSetAvailable")
        find(kDeploymentOpen, item.key.name + " did not end: " + json::write(one.at("status")));
      co_await check_slices(item.key.name, wanted);
    }
    auto jobs = co_await store_->list(kJobs, {});
    for (const auto& item : jobs->items) {
      const json::Value one = *json::read(*item.bytes);
      auto job = view_job(one.as_object());
      if (!job || !job->is_finished()) find(kJobOpen, item.key.name + " did not end");
    }
  }

  Task<> check_slices(std::string service, int wanted) {
    auto slices = co_await store_->list(
        kEndpointSlices,
        {.labels = *api::parse_label_selector(fmt::format("{}={}", kServiceNameLabel, service))});
    int ready = 0;
    for (const auto& item : slices->items) {
      const json::Value slice = *json::read(*item.bytes);
      const json::Value* endpoints = json::at(slice, {"endpoints"});
      if (!endpoints || !endpoints->is_array()) continue;
      for (const auto& endpoint : endpoints->get_array())
        ready += endpoint.at("conditions").at("ready").as_bool() ? 1 : 0;
    }
    if (ready != wanted)
      find(kSlices, fmt::format("{} lists {} of {} Pods", service, ready, wanted));
  }

  void begin() { life_ = std::make_unique<Life>(*loop_, *store_, *registry_, *random_, mistake_); }
  Task<> end() {
    co_await life_->manager.stop();
    co_await life_->workloads.stop();
    life_.reset();
  }

  Task<> crash_and_restart() {
    while (!gate_.stop().stop_requested()) {
      begin();
      life_->store.crash_after(static_cast<int>(random_->below(kMaxWritesToCrash)));
      while (!life_->store.crashed())
        if (co_await life_->store.crashed_signal().wait(gate_.stop()) == Signal::Wake::kStopped)
          break;
      if (!life_->store.crashed()) co_return;
      ++outcome_.crashes;
      co_await end();
      co_await sleep_for(*loop_, std::chrono::milliseconds(random_->below(200)), gate_.stop());
    }
  }

  Mistake mistake_;
  WorkloadOutcome outcome_;
  std::unique_ptr<SimLoop> loop_;
  std::unique_ptr<Random> random_;
  std::unique_ptr<api::Registry> registry_ = api::Registry::make();
  std::unique_ptr<store::EmbeddedStore> store_ =
      store::make_memory_store(*loop_, *registry_, *random_);
  control::Manager node_manager_{*loop_, *store_, *registry_};
  FakeNode node_;
  std::unique_ptr<Life> life_;
  Gate gate_;
  int most_asked_ = 0;
  int jobs_ = 0;
};

}  // namespace

const std::vector<std::string_view>& workload_checkers() {
  static const std::vector<std::string_view> kAll = {kTooManyPods,    kUncounted, kWrongNumber,
                                                     kDeploymentOpen, kJobOpen,   kSlices};
  return kAll;
}

WorkloadOutcome run_workloads(std::uint64_t seed, Mistake mistake) {
  return World(seed, mistake).run();
}

}  // namespace slipway::sim
