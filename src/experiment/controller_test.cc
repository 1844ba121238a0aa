#include "experiment/controller.h"

#include "experiment/experiment_testing.h"

namespace slipway::experiment {
namespace {

using namespace std::chrono_literals;
using Names = std::vector<std::string>;

TEST_F(ExperimentFixture, RunsItsTimeAndSucceeds) {
  apply(kBenchmark);
  apply(kTwoColours);
  start();
  go(5s);
  EXPECT_EQ(phase(), "Running|");
  EXPECT_EQ(names(kReplicaSets), (Names{"example-orange", "example-purple"}));
  EXPECT_EQ(names(kRuns), (Names{"example-orange", "example-purple"}));
  const json::Value orange = read(kReplicaSets, {"default", "example-orange"});
  EXPECT_EQ(read(kRuns, {"default", "example-orange"}).at("spec").at("args").at(0).at("value"),
            orange.at("metadata").at("labels").at("rollouts-pod-template-hash"));
  go(50s);
  EXPECT_EQ(phase(), "Running|");
  go(10s);
  EXPECT_EQ(phase(), "Successful|");
  EXPECT_EQ(replicas("example-orange"), 1) << "for scaleDownDelaySeconds";
  EXPECT_TRUE(read(kRuns, {"default", "example-purple"}).at("spec").at("terminate").as_bool());
  go(12s);
  EXPECT_EQ(replicas("example-orange"), 0);
  EXPECT_EQ(replicas("example-purple"), 0);
  const auto said = reasons();
  EXPECT_EQ(said.count("ExperimentSuccessful"), 1U);
  EXPECT_EQ(said.count("AnalysisRunTerminating"), 2U);
}

TEST_F(ExperimentFixture, IdleCostsNothing) {
  apply(kBenchmark);
  apply(kTwoColours);
  start();
  go(100s);
  const int writes = life->store.writes;
  const std::uint64_t steps = loop->steps();
  loop->run_for(10h);
  EXPECT_EQ(life->store.writes, writes);
  EXPECT_LT(loop->steps() - steps, 10'000U) << "bookmarks of caches, and nothing else";
}

TEST_F(ExperimentFixture, WaitsForAllTemplates) {
  never = {"example-orange"};
  apply(kBenchmark);
  apply(kTwoColours);
  start();
  go(20s);
  EXPECT_EQ(phase(), "Pending|");
  EXPECT_TRUE(names(kRuns).empty());
  never.clear();
  go(5s);
  EXPECT_EQ(phase(), "Running|");
}

TEST_F(ExperimentFixture, ATemplateThatNeverBecomesReadyFails) {
  never = {"example-orange"};
  apply(kBenchmark);
  apply(kTwoColours);
  start();
  go(40s);
  EXPECT_EQ(phase(), "Failed|Template 'orange' exceeded its progressDeadlineSeconds (30)");
  go(15s);
  EXPECT_EQ(replicas("example-purple"), 0);
  EXPECT_EQ(replicas("example-orange"), 0);
  EXPECT_TRUE(names(kRuns).empty());
  EXPECT_EQ(reasons().count("TemplateFailed"), 1U);
}

TEST_F(ExperimentFixture, ATemplateThatFailsTellsWhatItsPodSaid) {
  never = {"example-orange", "example-purple"};
  apply(kBenchmark);
  apply(kTwoColours);
  start();
  go(5s);
  const json::Value set = read(kReplicaSets, {"default", "example-orange"});
  json::Object pod = from_yaml(R"(
apiVersion: v1
kind: Pod
metadata: {name: orange-x, labels: {app: demo, color: orange}}
spec: {containers: [{name: demo, image: "demo:orange"}]}
)");
  json::Object& metadata = api::metadata_of(pod);
  metadata["labels"].get_object()["rollouts-pod-template-hash"] =
      set.at("metadata").at("labels").at("rollouts-pod-template-hash");
  metadata["ownerReferences"] = json::Array{json::Object{{"apiVersion", "apps/v1"},
                                                         {"kind", "ReplicaSet"},
                                                         {"name", "example-orange"},
                                                         {"uid", api::uid_of(set.get_object())},
                                                         {"controller", true}}};
  apply(pod);
  patch(
      {"", "v1", "pods"}, {"default", "orange-x"},
      R"({"status":{"containerStatuses":[{"name":"demo","image":"demo:orange","imageID":"","ready":false,
        "restartCount":0,"state":{"waiting":{"reason":"ErrImagePull","message":"no such image"}}}]}})",
      "status");
  go(35s);
  EXPECT_EQ(phase().substr(0, 7), "Failed|");
  std::set<std::string> messages;
  for (const auto& one : status().at("templateStatuses").as_array())
    messages.emplace(json::string_at(one, {"message"}));
  const std::string late = "exceeded its progressDeadlineSeconds (30)";
  EXPECT_EQ(messages,
            (std::set<std::string>{"Template 'orange' " + late + ": Pod orange-x: no such image",
                                   "Template 'purple' " + late}));
}

TEST_F(ExperimentFixture, AFailedAnalysisEndsItAtOnce) {
  for (const auto& [verdict, message] :
       {std::pair{"Failed", "latency"}, std::pair{"Error", "no answer"},
        std::pair{"Inconclusive", "too few"}}) {
    apply(kTwoColours);
    if (names(kTemplates).empty()) apply(kBenchmark);
    start();
    go(5s);
    end_run("example-purple", verdict, message);
    go(3s);
    EXPECT_EQ(phase(), std::string(verdict) + "|" + message);
    EXPECT_TRUE(read(kRuns, {"default", "example-orange"}).at("spec").at("terminate").as_bool());
    go(15s);
    EXPECT_EQ(replicas("example-orange"), 0);
    life.reset();
    remove(kExperiments, kExample);
    for (const auto& kind : {kReplicaSets, kRuns})
      for (const auto& name : names(kind)) remove(kind, {"default", name});
  }
}

TEST_F(ExperimentFixture, TerminateEndsItWell) {
  apply(kBenchmark);
  apply(kTwoColours);
  start();
  go(5s);
  patch(kExperiments, kExample, R"({"spec":{"terminate":true}})");
  go(3s);
  EXPECT_EQ(phase(), "Successful|");
  go(15s);
  EXPECT_EQ(replicas("example-orange"), 0);
}

TEST_F(ExperimentFixture, WithoutDurationARequiredAnalysisEndsIt) {
  json::Object endless = from_yaml(kTwoColours);
  json::Object& spec = endless["spec"].as_object();
  json::erase(spec, "duration");
  spec["analyses"].as_array()[0].as_object()["requiredForCompletion"] = true;
  apply(kBenchmark);
  apply(endless);
  start();
  go(10min);
  EXPECT_EQ(phase(), "Running|");
  end_run("example-purple", "Successful");
  go(3s);
  EXPECT_EQ(phase(), "Successful|Required AnalysisRuns completed")
      << "although the other one still runs";
  EXPECT_TRUE(read(kRuns, {"default", "example-orange"}).at("spec").at("terminate").as_bool());
}

TEST_F(ExperimentFixture, WithoutDurationAndRequiredItGoesOn) {
  json::Object endless = from_yaml(kTwoColours);
  json::erase(endless["spec"].as_object(), "duration");
  apply(kBenchmark);
  apply(endless);
  start();
  go(5s);
  end_run("example-purple", "Successful");
  end_run("example-orange", "Successful");
  go(10min);
  EXPECT_EQ(phase(), "Running|");
  patch(kExperiments, kExample, R"({"spec":{"terminate":true}})");
  go(3s);
  EXPECT_EQ(phase(), "Successful|");
}

TEST_F(ExperimentFixture, TerminateEndsItAlsoWhileARequiredAnalysisRuns) {
  json::Object endless = from_yaml(kTwoColours);
  endless["spec"].as_object()["analyses"].as_array()[0].as_object()["requiredForCompletion"] = true;
  apply(kBenchmark);
  apply(endless);
  start();
  go(5s);
  patch(kExperiments, kExample, R"({"spec":{"terminate":true}})");
  go(5s);
  EXPECT_EQ(phase(), "Successful|Required AnalysisRuns completed");
}

TEST_F(ExperimentFixture, AMissingTemplateIsSaidBeforeAnythingRuns) {
  apply(kTwoColours);
  start();
  go(2s);
  EXPECT_EQ(phase(),
            "Error|AnalysisTemplate verification failed for analysis 'purple': "
            "analysistemplate.argoproj.io \"http-benchmark\" not found");
  EXPECT_TRUE(names(kRuns).empty());
  EXPECT_TRUE(names(kReplicaSets).empty());
  EXPECT_EQ(told("ExperimentError"),
            (Names{"Warning Experiment transitioned from Pending -> Error"}));
  const auto told_of = [](const std::string& analysis) {
    return "Warning AnalysisRun '" + analysis +
           "' transitioned from  -> Error: AnalysisTemplate verification failed for analysis '" +
           analysis + "': analysistemplate.argoproj.io \"http-benchmark\" not found";
  };
  EXPECT_EQ(told("AnalysisRunError"), (Names{told_of("purple"), told_of("orange")}));
}

TEST_F(ExperimentFixture, ARolloutHearsOfTheRunsOfItsExperiment) {
  json::Object owned = from_yaml(kTwoColours);
  api::set_owners(owned, {{.api_version = "argoproj.io/v1alpha1",
                           .kind = "Rollout",
                           .name = "guestbook",
                           .uid = "rollout-uid",
                           .controller = true}});
  apply(kBenchmark);
  apply(owned);
  start();
  go(5s);
  end_run("example-purple", "Failed", "latency");
  go(3s);
  std::multiset<std::string> heard;
  for (const auto& event : list(kEvents))
    if (json::string_at(event, {"involvedObject", "uid"}) == "rollout-uid")
      heard.insert(std::string(json::string_at(event, {"type"})) + " " +
                   std::string(json::string_at(event, {"reason"})));
  EXPECT_EQ(heard.count("Warning AnalysisRunFailed"), 1U);
  EXPECT_EQ(heard.count("Normal AnalysisRunPending"), 2U);
  EXPECT_EQ(heard.count("Normal ExperimentPending"), 0U);
}

TEST_F(ExperimentFixture, AnInvalidSpecIsACondition) {
  json::Object wrong = from_yaml(kTwoColours);
  wrong["spec"].as_object()["templates"].as_array()[1].as_object()["name"] = "purple";
  apply(wrong);
  start();
  go(5s);
  EXPECT_EQ(phase(), "|");
  const json::Value now = status();
  EXPECT_EQ(now.at("conditions").at(0).at("type"), "InvalidSpec");
  EXPECT_EQ(now.at("conditions").at(0).at("message"),
            "Experiment example has repeated template name 'purple' in templates");
  EXPECT_TRUE(names(kReplicaSets).empty());
  EXPECT_LT(life->store.writes, 3);
  EXPECT_EQ(told("InvalidSpec"),
            (Names{"Warning Experiment example has repeated template name 'purple' in templates"}));
  EXPECT_EQ(reasons().size(), 1U) << "and nothing else is told";
}

TEST_F(ExperimentFixture, AnEditedTemplateGetsAnotherReplicaSet) {
  never = {"example-orange"};
  apply(kBenchmark);
  apply(kTwoColours);
  start();
  go(20s);
  const json::Value before = read(kReplicaSets, {"default", "example-orange"});
  json::Value edited = read(kExperiments, kExample);
  edited.at("spec")
      .at("templates")
      .at(1)
      .at("template")
      .at("spec")
      .at("containers")
      .at(0)
      .as_object()["image"] = "demo:orange2";
  auto done = run_to_end(*loop, store->update(kExperiments, kExample, edited.as_object(), {}));
  ASSERT_TRUE(done) << done.error().text();
  go(20s);
  const json::Value after = read(kReplicaSets, {"default", "example-orange"});
  EXPECT_NE(api::uid_of(before.get_object()), api::uid_of(after.get_object()));
  EXPECT_NE(before.at("metadata").at("labels"), after.at("metadata").at("labels"));
  EXPECT_EQ(phase(), "Pending|") << "its clock starts anew";
  never.clear();
  go(3s);
  EXPECT_EQ(phase(), "Running|");
  EXPECT_EQ(life->store.created["replicasets"], 3);
}

TEST_F(ExperimentFixture, AnEditedTemplateIsMeasuredAnew) {
  apply(kBenchmark);
  apply(kTwoColours);
  start();
  go(10s);
  EXPECT_EQ(names(kRuns), (Names{"example-orange", "example-purple"}));
  json::Value edited = read(kExperiments, kExample);
  edited.at_pointer("/spec/templates/1/template/spec/containers/0").as_object()["image"] = "new";
  ASSERT_TRUE(run_to_end(*loop, store->update(kExperiments, kExample, edited.as_object(), {})));
  go(20s);
  EXPECT_EQ(names(kRuns), (Names{"example-orange", "example-orange.1", "example-purple"}));
  EXPECT_EQ(phase(), "Running|");
  const auto is_told = [&](const char* run) {
    const json::Value now = read(kRuns, {"default", run});
    const json::Value* told = json::at(now, {"spec", "terminate"});
    return told && told->is_bool() && told->get_bool();
  };
  EXPECT_TRUE(is_told("example-orange"));
  EXPECT_FALSE(is_told("example-orange.1"));
  EXPECT_FALSE(is_told("example-purple"));
  const json::Value set = read(kReplicaSets, {"default", "example-orange"});
  EXPECT_EQ(read(kRuns, {"default", "example-orange.1"}).at_pointer("/spec/args/0/value"),
            set.at_pointer("/metadata/labels/rollouts-pod-template-hash"));
}

TEST_F(ExperimentFixture, ARetryMakesNewRuns) {
  apply(kBenchmark);
  apply(kTwoColours);
  start();
  go(5s);
  end_run("example-purple", "Failed", "latency");
  go(20s);
  EXPECT_EQ(phase(), "Failed|latency");
  patch(kExperiments, kExample, R"({"status":null})");
  go(5s);
  EXPECT_EQ(phase(), "Running|");
  EXPECT_EQ(replicas("example-orange"), 1);
  EXPECT_EQ(names(kReplicaSets).size(), 2U);
  EXPECT_EQ(names(kRuns),
            (Names{"example-orange", "example-orange.1", "example-purple", "example-purple.1"}));
  const json::Value purple = read(kReplicaSets, {"default", "example-purple"});
  EXPECT_EQ(api::annotation_of(purple.get_object(), "scale-down-deadline"), "");
}

TEST_F(ExperimentFixture, ARetryInTheSameSecondMakesNewRuns) {
  const auto go_quickly = [&] {
    for (int turn = 0; turn < 5; ++turn) {
      loop->run_for(std::chrono::milliseconds(20));
      run_pods();
      end_terminated();
    }
  };
  apply(kBenchmark);
  apply(kTwoColours);
  start();
  go_quickly();
  for (const char* name : {"example-purple", "example-purple.1", "example-purple.2"}) {
    EXPECT_EQ(phase(), "Running|");
    end_run(name, "Failed", "latency");
    go_quickly();
    EXPECT_EQ(phase(), "Failed|latency");
    patch(kExperiments, kExample, R"({"status":null})");
    go_quickly();
  }
  EXPECT_EQ(phase(), "Running|") << "by runs of its own";
  EXPECT_EQ(json::string_at(status(), {"availableAt"}), "2026-01-01T00:00:03Z");
  EXPECT_EQ(names(kRuns).size(), 8U);
}

TEST_F(ExperimentFixture, SomebodyElsesReplicaSetIsLeftAlone) {
  json::Object other = from_yaml(R"(
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: example-orange}
spec:
  replicas: 0
  selector: {matchLabels: {a: b}}
  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}
)");
  apply(kBenchmark);
  apply(other);
  apply(kTwoColours);
  start();
  go(5s);
  EXPECT_EQ(phase(),
            "Pending|ReplicaSet example-orange already exists and is not owned by experiment "
            "template orange");
  remove(kReplicaSets, {"default", "example-orange"});
  go(10s);
  EXPECT_EQ(phase(), "Running|");
}

TEST_F(ExperimentFixture, ServicesComeAndGoWithTheirTemplates) {
  json::Object served = from_yaml(kTwoColours);
  json::Array& templates = served["spec"].as_object()["templates"].as_array();
  templates[0].as_object()["service"] = json::Object();
  templates[1].as_object()["service"] = json::Object{{"name", "oranges"}};
  apply(kBenchmark);
  apply(served);
  start();
  go(5s);
  EXPECT_EQ(names(kServices), (Names{"example-purple", "oranges"}));
  const json::Value purple = status().at("templateStatuses").at(0);
  EXPECT_EQ(purple.at("serviceName"), "example-purple");
  EXPECT_EQ(purple.at("podTemplateHash"), read(kServices, {"default", "example-purple"})
                                              .at("spec")
                                              .at("selector")
                                              .at("rollouts-pod-template-hash"));
  const int created = life->store.created["services"];
  go(90s);
  EXPECT_EQ(phase(), "Successful|");
  EXPECT_TRUE(names(kServices).empty());
  EXPECT_EQ(life->store.created["services"], created);
  EXPECT_EQ(json::at(status().at("templateStatuses").at(0).as_object(), {"serviceName"}), nullptr);
}

TEST_F(ExperimentFixture, ARefusedReplicaSetIsAnError) {
  json::Object wrong = from_yaml(kTwoColours);
  json::Array& templates = wrong["spec"].as_object()["templates"].as_array();
  templates[1].as_object()["selector"].as_object()["matchLabels"].as_object()["color"] = "red";
  apply(kBenchmark);
  apply(wrong);
  start();
  go(5s);
  EXPECT_TRUE(phase().starts_with("Error|Failed to create ReplicaSet for template 'orange': "))
      << phase();
  EXPECT_EQ(names(kReplicaSets), (Names{"example-purple"}));
  EXPECT_EQ(replicas("example-purple"), 1) << "for scaleDownDelaySeconds";
  go(15s);
  EXPECT_EQ(replicas("example-purple"), 0) << "there is nothing to compare it with";
  EXPECT_TRUE(names(kRuns).empty());
  EXPECT_EQ(reasons().count("TemplateError"), 1U);
  EXPECT_EQ(reasons().count("ExperimentError"), 1U);
}

}  // namespace
}  // namespace slipway::experiment
