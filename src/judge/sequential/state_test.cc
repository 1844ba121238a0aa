#include "judge/sequential/state.h"

#include <gtest/gtest.h>

#include <cmath>

#include "judge/sequential/sequential.h"

namespace slipway::judge {
namespace {

Evidence evidence(Engine engine, int look) {
  Evidence one;
  for (int i = 0; i < 6; ++i) {
    one.control.points.push_back(10 + (i * 7 + look * 3) % 11 + 0.1 * i);
    one.experiment.points.push_back(10.7 + (i * 5 + look * 8) % 11 + 0.1 * look);
  }
  if (engine == Engine::kCounts) {
    one.control = {.events = 10.0 + look % 3, .exposure = 1000.0 + look};
    one.experiment = {.events = 15.0 + look % 2, .exposure = 900.5};
  }
  if (look == 2) one = {};
  return one;
}

std::vector<Plan> plans() {
  std::vector<Plan> all;
  for (Engine engine :
       {Engine::kSignedRank, Engine::kStratifiedRank, Engine::kCounts, Engine::kDistribution}) {
    for (Monitoring monitoring :
         {Monitoring::kGroupSequential, Monitoring::kAnytime, Monitoring::kNone}) {
      all.push_back({.engine = engine,
                     .margin = 0.01,
                     .monitoring = monitoring,
                     .planned_looks = 12,
                     .late_onset = monitoring != Monitoring::kNone});
    }
  }
  return all;
}

// A controller that dies after every look and finds its state in a status.
TEST(State, SurvivesBeingWrittenAfterEveryLook) {
  for (const Plan& plan : plans()) {
    auto running = Monitor::start(plan);
    ASSERT_TRUE(running);
    json::Value kept = to_json(State{});
    for (int look = 0; look < 10; ++look) {
      const Evidence one = evidence(plan.engine, look);
      const auto want = running->look(one);
      auto state = read_state(*json::read(json::write(kept)));
      ASSERT_TRUE(state) << state.error().text();
      auto taken = step(plan, *state, one);
      ASSERT_TRUE(want && taken);
      kept = to_json(taken->state);
      const Look& a = want->looks[0];
      const Look& b = taken->answer.looks[0];
      EXPECT_EQ(a.s, b.s) << fingerprint(plan);
      EXPECT_EQ(a.verdict, b.verdict) << fingerprint(plan);
      EXPECT_EQ(a.alpha_spent, b.alpha_spent) << fingerprint(plan);
      if (std::isfinite(a.boundary)) EXPECT_NEAR(a.boundary, b.boundary, 1e-7);
      EXPECT_EQ(json::write(to_json(running->state())).size(), json::write(kept).size());
    }
  }
}

TEST(State, OfAnotherPlanIsRefused) {
  Plan plan = {.engine = Engine::kSignedRank};
  auto first = step(plan, {}, evidence(plan.engine, 0));
  ASSERT_TRUE(first);
  plan.alpha = 0.01;
  auto second = step(plan, first->state, evidence(plan.engine, 1));
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("another plan"), std::string::npos);
}

TEST(State, ThatHoldsNonsenseIsRefused) {
  const std::vector<std::pair<const char*, const char*>> rows = {
      {R"([])", ""},
      {R"({"look": -1})", "look"},
      {R"({"look": 1})", "past"},
      {R"({"look": "x"})", "look"},
      {R"({"look": 1e300})", "look"},
      {R"({"look": -1e300, "past": [1e300]})", "look"},
      {R"({"look": "Inf"})", "look"},
      {R"({"past": [1, 2, 3]})", "past"},
      {R"({"look": 1, "past": [0, 0, 1, 1, 1, 1, "NaN"]})", "past"},
      {R"({"control": [1, 2]})", "keptSizes"},
      {R"({"control": [1], "experiment": [1], "keptSizes": [1, 2]})", "keptSizes"},
      {R"({"windows": [1, 2, 3]})", "windows"},
      {R"({"edges": [1, 2]})", "edges"},
      {R"({"failed": 1})", "failed"},
  };
  for (const auto& [text, where] : rows) {
    auto state = read_state(*json::read(text));
    ASSERT_FALSE(state) << text;
    EXPECT_EQ(state.error().where, where) << text;
  }
}

TEST(State, WhoseVarianceShrinksIsRefused) {
  const Plan plan = {.engine = Engine::kSignedRank, .planned_looks = 6};
  auto state = read_state(*json::read(R"({"look": 2, "past": [0,0,5,5,5,5,2, 0,0,4,4,4,4,2]})"));
  ASSERT_TRUE(state);
  state->plan = fingerprint(plan);
  auto taken = step(plan, *state, evidence(plan.engine, 0));
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().where, "past");
}

TEST(State, StaysSmall) {
  const Plan plan = {.engine = Engine::kSignedRank, .planned_looks = 300, .describe = false};
  auto monitor = Monitor::start(plan);
  for (int look = 0; look < 300; ++look)
    ASSERT_TRUE(monitor->look(evidence(plan.engine, look + 3)));
  EXPECT_LE(monitor->state().control.size(), kMaxKept);
  EXPECT_GT(monitor->state().control.size(), kMaxKept - 10);
  EXPECT_LT(json::write(to_json(monitor->state())).size(), 100'000u);
  EXPECT_TRUE(read_state(to_json(monitor->state())));
}

}  // namespace
}  // namespace slipway::judge
