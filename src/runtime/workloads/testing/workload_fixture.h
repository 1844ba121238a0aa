#pragma once

#include <algorithm>
#include <memory>

#include "control/testing/mortal_store.h"
#include "control/testing/store_fixture.h"
#include "runtime/workloads/pod_table.h"
#include "runtime/workloads/replica_set_controller.h"
#include "runtime/workloads/testing/fake_node.h"

namespace slipway::runtime {

using namespace std::chrono_literals;

// A template of Pods that wait for their node when they are deleted.
inline json::Value pod_template(std::string_view labels = R"({"app":"web"})",
                                std::string_view image = "web:1",
                                std::string_view restart = "Always") {
  return *json::read(R"({"metadata":{"labels":)" + std::string(labels) +
                     R"(},"spec":{"nodeName":"slipway","restartPolicy":")" + std::string(restart) +
                     R"(","containers":[{"name":"c","image":")" + std::string(image) + R"("}]}})");
}

inline json::Object replica_set(std::string_view name, int replicas) {
  json::Object set = json::read(R"({"apiVersion":"apps/v1","kind":"ReplicaSet",
                     "spec":{"selector":{"matchLabels":{"app":"web"}}}})")
                         ->as_object();
  api::metadata_of(set)["name"] = name;
  set["spec"].get_object()["replicas"] = replicas;
  set["spec"].get_object()["template"] = pod_template();
  return set;
}

// A memory store with a node that makes Pods ready, and somebody who counts them all the while.
struct WorkloadFixture : control::StoreFixture {
  WorkloadFixture() {
    node_manager.add(FakeNode::options(), node);
    node_manager.cache(kPods).on_change(
        [this](const store::Item* before, const store::Item* after) {
          counted_active += is_active(after) - is_active(before);
          most_active = std::max(most_active, counted_active);
          least_active = std::min(least_active, counted_active);
        });
    node_manager.start();
    loop->run_for(1ms);
  }
  ~WorkloadFixture() override { run_to_end(*loop, node_manager.stop()); }

  std::vector<PodView> pods() {
    std::vector<PodView> found;
    auto page = run_to_end(*loop, store->list(kPods, {}));
    for (const auto& item : page->items)
      found.push_back(view_pod(item, json::read(*item.bytes)->as_object()));
    return found;
  }
  int active() {
    const auto all = pods();
    return static_cast<int>(
        std::ranges::count_if(all, [](const PodView& pod) { return pod.is_active(); }));
  }
  void merge(const api::Gvr& kind, store::Key key, std::string_view patch,
             std::string subresource = {}) {
    auto done = run_to_end(
        *loop, store->patch(kind, std::move(key),
                            {.type = store::PatchType::kMerge, .body = *json::read(patch)},
                            {.subresource = std::move(subresource)}));
    EXPECT_TRUE(done) << done.error().text();
  }
  std::vector<std::string> event_reasons() {
    std::vector<std::string> reasons;
    for (const auto& event : list(kEvents)) reasons.emplace_back(event.at("reason").as_string());
    return reasons;
  }

  FakeNode::Options node_options = {};
  control::Manager node_manager{*loop, *store, *registry};
  FakeNode node{node_manager, {.stop = 1500ms, .fate = [this](const json::Object& pod) {
                                 return node_options.fate ? node_options.fate(pod)
                                                          : FakeNode::Fate::kReady;
                               }}};
  static int is_active(const store::Item* item) {
    return item && view_pod(*item, json::read(*item->bytes)->as_object()).is_active() ? 1 : 0;
  }
  int counted_active = 0;
  int most_active = 0;
  int least_active = 1 << 30;
};

// One life of the program, as far as ReplicaSets are concerned. Its events are written by somebody
// who does not die.
struct ReplicaSetLife {
  ReplicaSetLife(SimLoop& on, store::Store& below, api::Registry& registry, Random& random)
      : loop(on),
        store(on, below),
        manager(on, store, registry),
        recorder(on, below, random, "replicaset-controller"),
        pods(manager),
        sets(manager, recorder, pods) {
    manager.add(sets.options(), sets);
  }
  void end() {
    run_to_end(loop, manager.stop());
    run_to_end(loop, recorder.stop());
  }

  SimLoop& loop;
  control::MortalStore store;
  control::Manager manager;
  control::Recorder recorder;
  PodTable pods;
  ReplicaSetReconciler sets;
};

}  // namespace slipway::runtime
