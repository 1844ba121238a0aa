#pragma once

#include <algorithm>
#include <set>

#include "control/testing/mortal_store.h"
#include "control/testing/store_fixture.h"
#include "rollout/controller.h"
#include "rollout/testing/players.h"

namespace slipway::rollout {

// One life of the program, as far as Rollouts are concerned.
struct Life {
  Life(Loop& on, store::Store& below, api::Registry& registry, Random& random)
      : loop(on),
        store(on, below),
        manager(on, store, registry),
        recorder(on, store, random, "rollouts-controller"),
        reconciler(manager, recorder) {
    manager.add(reconciler.options(), reconciler);
    manager.start();
  }
  void end() {
    reconciler.request_stop();
    run_to_end(loop, manager.stop());
    run_to_end(loop, recorder.stop());
  }

  Loop& loop;
  control::MortalStore store;
  control::Manager manager;
  control::Recorder recorder;
  RolloutReconciler reconciler;
};

// A cluster in memory on simulated time, with one Rollout called web.
struct World : control::StoreFixture {
  World() {
    create(kNamespaces, "", named("Namespace", "shop"));
    cluster.add(ReplicaSetPlayer::options(), sets);
    cluster.add(runs.options(), runs);
    cluster.add(experiments.options(), experiments);
    cluster.start();
  }
  ~World() override {
    if (life) life->end();
    run_to_end(*loop, cluster.stop());
  }
  void start() { life = std::make_unique<Life>(*loop, *store, *registry, *random); }
  // The program is killed and started again.
  void restart() {
    life->end();
    start();
  }
  void wait(Duration time) { loop->run_for(time); }

  static json::Value read_json(std::string_view text) { return *json::read(text); }
  void apply(const api::Gvr& kind, std::string_view text) {
    create(kind, "shop", read_json(text).get_object());
  }
  // A Rollout with this strategy, at image v1.
  void create_rollout(const std::string& strategy, int replicas = 4, const std::string& more = {}) {
    apply(kRollouts,
          R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","metadata":{"name":"web"},
      "spec":{"replicas":)" +
              std::to_string(replicas) + more +
              R"(,"selector":{"matchLabels":{"app":"web"}},"strategy":)" + strategy +
              R"(,"template":{"metadata":{"labels":{"app":"web"}},
      "spec":{"containers":[{"name":"web","image":"web:v1"}]}}}})");
  }
  void create_service(const std::string& name) {
    apply(kServices, R"({"apiVersion":"v1","kind":"Service","metadata":{"name":")" + name +
                         R"("},"spec":{"selector":{"app":"web"},"ports":[{"port":80}]}})");
  }
  void create_template(const std::string& name) {
    apply(kTemplates,
          R"({"apiVersion":"argoproj.io/v1alpha1","kind":"AnalysisTemplate","metadata":{"name":")" +
              name + R"("},"spec":{"metrics":[{"name":"m","interval":"1m","count":1,
          "provider":{"prometheus":{"address":"http://p","query":"up"}}}]}})");
  }
  void patch(std::string_view text, const std::string& subresource = {}) {
    auto done =
        run_to_end(*loop, store->patch(kRollouts, {"shop", "web"},
                                       {.type = store::PatchType::kMerge, .body = read_json(text)},
                                       {.subresource = subresource}));
    EXPECT_TRUE(done) << done.error().text();
  }
  void set_image(const std::string& image) {
    patch(R"({"spec":{"template":{"spec":{"containers":[{"name":"web","image":")" + image +
          R"("}]}}}})");
  }
  void patch_status(std::string_view text) { patch(text, "status"); }

  json::Value rollout() { return read(kRollouts, {"shop", "web"}); }
  std::string phase() {
    const json::Value now = rollout();
    std::string text(json::string_at(now, {"status", "phase"}));
    const std::string_view message = json::string_at(now, {"status", "message"});
    return message.empty() ? text : text.append("|").append(message);
  }
  Count step() { return count_at(rollout(), {"status", "currentStepIndex"}, -1); }
  // Image and replicas of each set, by revision: `v1:3/3 v2:1/0`, wanted and available.
  std::string sizes() {
    std::map<int, std::string> by_revision;
    for (const json::Value& set : list(kReplicaSets)) {
      const std::string image(set.at_pointer("/spec/template/spec/containers/0/image").as_string());
      by_revision[std::stoi(
          std::string(api::annotation_of(set.get_object(), "rollout.argoproj.io/revision")))] =
          image.substr(image.find(':') + 1) + ":" +
          std::to_string(count_at(set, {"spec", "replicas"})) + "/" +
          std::to_string(count_at(set, {"status", "availableReplicas"}));
    }
    std::string text;
    for (const auto& [revision, one] : by_revision) text += (text.empty() ? "" : " ") + one;
    return text;
  }
  std::multiset<std::string> reasons() {
    std::multiset<std::string> found;
    for (const json::Value& event : list(kEvents))
      for (Count i = 0; i < std::max(1, count_at(event, {"count"}, 1)); ++i)
        found.emplace(json::string_at(event, {"reason"}));
    return found;
  }

  control::Manager cluster{*loop, *store, *registry};
  ReplicaSetPlayer sets{cluster};
  VerdictPlayer runs{cluster, kAnalysisRuns};
  VerdictPlayer experiments{cluster, kExperiments};
  std::unique_ptr<Life> life;
};

}  // namespace slipway::rollout
