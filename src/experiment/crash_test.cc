#include "experiment/experiment_testing.h"

// The program may die between any two writes: it ends the same, and nothing is made twice.
namespace slipway::experiment {
namespace {

using namespace std::chrono_literals;

struct Ending {
  std::string phase = {};
  std::vector<std::string> replica_sets = {}, runs = {}, services = {};
  std::map<std::string, int> created = {};
  std::string conditions = {};

  bool operator==(const Ending&) const = default;
};

struct World : ExperimentFixture {
  void TestBody() override {}

  // One life with a fault at its n-th write, and another one.
  Ending live(int dies_at, bool answer_lost, std::string_view verdict) {
    json::Object experiment = from_yaml(kTwoColours);
    experiment["spec"].as_object()["templates"].as_array()[0].as_object()["service"] =
        json::Object();
    apply(kBenchmark);
    apply(experiment);
    start();
    life->store.dies_at = dies_at - 1;
    life->store.last_happens = answer_lost;
    go(20s);
    reborn();
    go(20s);
    if (!verdict.empty()) end_run("example-purple", verdict, "because");
    go(60s);
    writes = life->store.writes;
    reborn();
    go(10s);
    Ending ending{.phase = phase(), .runs = names(kRuns), .services = names(kServices)};
    ending.created = created;
    for (const auto& [kind, count] : life->store.created) ending.created[kind] += count;
    for (const auto& name : names(kReplicaSets))
      ending.replica_sets.push_back(name + "=" + std::to_string(replicas(name)));
    for (const auto& condition : status().at("conditions").as_array())
      ending.conditions += std::string(json::string_at(condition, {"type"})) + "=" +
                           std::string(json::string_at(condition, {"status"})) + " " +
                           std::string(json::string_at(condition, {"reason"})) + ";";
    return ending;
  }
  void reborn() {
    for (const auto& [kind, count] : life->store.created) created[kind] += count;
    writes_before += life->store.writes;
    life.reset();
    start();
  }

  std::map<std::string, int> created = {};
  int writes = 0, writes_before = 0;
};

void check_every_write(std::string_view verdict, std::string_view phase) {
  World undisturbed;
  const Ending expected = undisturbed.live(0, false, verdict);
  EXPECT_EQ(expected.phase, phase);
  EXPECT_EQ(expected.created.at("replicasets"), 2);
  EXPECT_EQ(expected.created.at("analysisruns"), 2);
  EXPECT_EQ(expected.created.at("services"), 1);
  EXPECT_TRUE(expected.services.empty());
  const int writes = undisturbed.writes_before;
  EXPECT_GT(writes, 10);
  for (int n = 1; n <= writes; ++n)
    for (const bool answer_lost : {false, true}) {
      World world;
      const Ending ending = world.live(n, answer_lost, verdict);
      EXPECT_EQ(ending.phase, expected.phase) << "write " << n << " lost " << answer_lost;
      EXPECT_EQ(ending.replica_sets, expected.replica_sets) << n << answer_lost;
      EXPECT_EQ(ending.runs, expected.runs) << n << answer_lost;
      EXPECT_EQ(ending.services, expected.services) << n << answer_lost;
      EXPECT_EQ(ending.created, expected.created) << n << answer_lost;
      EXPECT_EQ(ending.conditions, expected.conditions) << n << answer_lost;
    }
}

TEST(Crash, AtAnyWriteOfOneThatSucceeds) { check_every_write("", "Successful|"); }
TEST(Crash, AtAnyWriteOfOneThatFails) { check_every_write("Failed", "Failed|because"); }

}  // namespace
}  // namespace slipway::experiment
