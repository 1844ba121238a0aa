#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "analysis/controller.h"
#include "api/schema/codec.h"
#include "base/yaml.h"
#include "control/testing/mortal_store.h"
#include "control/testing/store_fixture.h"
#include "experiment/controller.h"
#include "experiment/decide.h"
#include "experiment/perform.h"

namespace slipway::experiment {

inline json::Object from_yaml(std::string_view text) {
  auto documents = yaml::read(text);
  EXPECT_TRUE(documents && documents->size() == 1) << text;
  return documents && !documents->empty() ? documents->front().value.as_object() : json::Object();
}

// Two variants with the analyses of the proposal that Experiments come from.
inline constexpr std::string_view kTwoColours = R"(
apiVersion: argoproj.io/v1alpha1
kind: Experiment
metadata: {name: example, namespace: default, uid: exp-uid}
spec:
  duration: 1m
  progressDeadlineSeconds: 30
  scaleDownDelaySeconds: 10
  templates:
  - name: purple
    selector: {matchLabels: {app: demo, color: purple}}
    template:
      metadata: {labels: {app: demo, color: purple}}
      spec:
        containers:
        - {name: demo, image: "demo:purple", ports: [{name: http, containerPort: 8080}]}
  - name: orange
    minReadySeconds: 10
    selector: {matchLabels: {app: demo, color: orange}}
    template:
      metadata: {labels: {app: demo, color: orange}}
      spec:
        containers:
        - {name: demo, image: "demo:orange", ports: [{name: http, containerPort: 8080}]}
  analyses:
  - name: purple
    templateName: http-benchmark
    args: [{name: host, value: purple}]
  - name: orange
    templateName: http-benchmark
    args: [{name: host, value: "{{templates.orange.podTemplateHash}}"}]
)";

inline constexpr std::string_view kBenchmark = R"(
apiVersion: argoproj.io/v1alpha1
kind: AnalysisTemplate
metadata: {name: http-benchmark}
spec:
  args: [{name: host}]
  metrics:
  - name: latency
    interval: 10s
    successCondition: result < 200
    provider: {web: {url: "http://{{args.host}}/latency"}}
)";

// One life of the program, as far as Experiments are concerned.
struct Life {
  Life(Loop& on, store::Store& below, api::Registry& registry, Random& random)
      : loop(on),
        store(on, below),
        manager(on, store, registry),
        recorder(on, store, random, "rollouts-controller"),
        reconciler(manager, recorder) {
    manager.add(ExperimentReconciler::options(), reconciler);
    manager.start();
  }
  ~Life() {
    reconciler.request_stop();
    run_to_end(loop, manager.stop());
    run_to_end(loop, recorder.stop());
  }

  Loop& loop;
  control::MortalStore store;
  control::Manager manager;
  control::Recorder recorder;
  ExperimentReconciler reconciler;
};

// Experiments on simulated time, with a node that makes Pods available at once and runs that end as
// they are told.
struct ExperimentFixture : control::StoreFixture {
  static inline const api::Gvr kExperiments = ExperimentReconciler::kKind;
  static inline const api::Gvr kReplicaSets = Performer::kReplicaSets;
  static inline const api::Gvr kServices = Performer::kServices;
  static inline const api::Gvr kRuns = analysis::AnalysisRunReconciler::kKind;
  static inline const api::Gvr kTemplates{"argoproj.io", "v1alpha1", "analysistemplates"};
  static inline const store::Key kExample{"default", "example"};

  void apply(std::string_view manifest) { apply(from_yaml(manifest)); }
  void apply(json::Object object) {
    json::erase(api::metadata_of(object), "uid");
    const auto kind = registry->find(api::gvk_of(object));
    ASSERT_TRUE(kind);
    create(kind->gvr(), kind->namespaced ? "default" : "", std::move(object));
  }
  void patch(const api::Gvr& kind, const store::Key& key, std::string_view merge,
             std::string subresource = {}) {
    auto done = run_to_end(*loop, store->patch(kind, key, {.body = *json::read(merge)},
                                               {.subresource = std::move(subresource)}));
    EXPECT_TRUE(done) << done.error().text();
  }

  // Pods come and go; those of `never` never become ready.
  void run_pods() {
    for (const auto& one : list(kReplicaSets)) {
      const std::string name(api::name_of(one.get_object()));
      const std::int64_t wanted = one.at("spec").at("replicas").as_int64();
      const std::int64_t ready = never.contains(name) ? 0 : wanted;
      const ReplicaSetSeen now = replica_set_seen(one.get_object());
      if (now.replicas == wanted && now.available == ready && now.is_observed) continue;
      const json::Object status{{"replicas", wanted},
                                {"readyReplicas", ready},
                                {"availableReplicas", ready},
                                {"observedGeneration", api::generation_of(one.get_object())}};
      patch(kReplicaSets, {"default", name}, json::write(json::Object{{"status", status}}),
            "status");
    }
  }
  void end_run(const std::string& name, std::string_view phase, std::string_view message = "") {
    patch(kRuns, {"default", name},
          json::write(
              json::Object{{"status", json::Object{{"phase", phase}, {"message", message}}}}));
  }
  // Runs that were told to end do so, well.
  void end_terminated() {
    for (const auto& run : list(kRuns))
      if (run_seen(run.get_object()).terminate && run_seen(run.get_object()).phase.empty())
        end_run(std::string(api::name_of(run.get_object())), "Successful", "Run Terminated");
  }

  // The world turns a second at a time.
  void go(Duration duration) {
    for (Duration passed = {}; passed < duration; passed += std::chrono::seconds(1)) {
      loop->run_for(std::chrono::seconds(1));
      run_pods();
      end_terminated();
    }
    loop->run_for(std::chrono::milliseconds(100));
  }
  void start() { life = std::make_unique<Life>(*loop, *store, *registry, *random); }

  json::Value status() {
    const json::Value now = read(kExperiments, kExample);
    const json::Value* found = json::at(now, {"status"});
    return found != nullptr ? *found : json::Value(json::Object());
  }
  std::string phase() {
    const json::Value now = status();
    return std::string(json::string_at(now, {"phase"})) + "|" +
           std::string(json::string_at(now, {"message"}));
  }
  std::vector<std::string> names(const api::Gvr& kind) {
    std::vector<std::string> found;
    for (const auto& one : list(kind)) found.emplace_back(api::name_of(one.get_object()));
    return found;
  }
  std::int64_t replicas(const std::string& name) {
    return read(kReplicaSets, {"default", name}).at("spec").at("replicas").as_int64();
  }
  std::multiset<std::string> reasons() {
    std::multiset<std::string> found;
    for (const auto& event : list(kEvents)) found.emplace(json::string_at(event, {"reason"}));
    return found;
  }
  // Of the Experiment, with this reason: `Warning what happened`.
  std::vector<std::string> told(std::string_view reason) {
    std::vector<std::string> found;
    for (const auto& event : list(kEvents))
      if (json::string_at(event, {"reason"}) == reason &&
          json::string_at(event, {"involvedObject", "name"}) == kExample.name)
        found.push_back(std::string(json::string_at(event, {"type"})) + " " +
                        std::string(json::string_at(event, {"message"})));
    return found;
  }
  ~ExperimentFixture() override { life.reset(); }

  std::set<std::string> never = {};
  std::unique_ptr<Life> life = {};
};

}  // namespace slipway::experiment
