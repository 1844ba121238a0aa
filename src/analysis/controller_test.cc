#include "analysis/controller.h"

#include "analysis/controller_testing.h"
#include "analysis/phase.h"
#include "base/base64.h"

namespace slipway::analysis {
namespace {

using namespace std::chrono_literals;

const std::string kPlain = R"({"name":"m","interval":"10s","count":3,
    "successCondition":"result[0] < 5","provider":{"prometheus":{"address":"http://p","query":"up"}}})";
const std::string kCompare = R"({"name":"c","interval":"60s","count":4,"provider":{"compare":{
    "control":{"prometheus":{"address":"http://p","query":"control"}},
    "experiment":{"prometheus":{"address":"http://p","query":"canary"}},
    "method":"stratified-rank","step":"10s"}}})";

struct ControllerTest : control::StoreFixture {
  static inline const api::Gvr kRuns = AnalysisRunReconciler::kKind;
  static inline const store::Key kRun{"default", "r"};

  void create_run(std::string metrics, std::string rest = "") {
    create(kRuns, "default",
           json::read(R"({"apiVersion":"argoproj.io/v1alpha1","kind":"AnalysisRun","metadata":
               {"name":"r"},"spec":{"metrics":[)" +
                      metrics + "]" + rest + "}}")
               ->as_object());
  }
  void start() {
    life.emplace(*loop, *store, *registry, *random, sources);
    life->manager.start();
  }
  void end() {
    if (life) life->end();
    life.reset();
  }
  ~ControllerTest() override { end(); }

  json::Value status() {
    const json::Value run = read(kRuns, kRun);
    const json::Value* found = json::at(run, {"status"});
    return found ? *found : json::Value();
  }
  std::string phase() {
    const json::Value now = status();
    return std::string(json::string_at(now, {"phase"})) + "|" +
           std::string(json::string_at(now, {"message"}));
  }
  json::Array measurements(std::size_t metric = 0) {
    const json::Value now = status();
    const json::Value* results = json::at(now, {"metricResults"});
    if (!results || results->as_array().size() <= metric) return {};
    return results->as_array()[metric].at("measurements").as_array();
  }
  void patch(std::string_view merge) {
    auto done = run_to_end(*loop, store->patch(kRuns, kRun, {.body = *json::read(merge)}, {}));
    EXPECT_TRUE(done) << done.error().text();
  }
  std::vector<std::string> reasons() {
    std::vector<std::string> found;
    for (const auto& event : list(kEvents)) found.emplace_back(json::string_at(event, {"reason"}));
    std::ranges::sort(found);
    return found;
  }

  FakeSources sources{*loop};
  std::optional<Life> life = {};
};

TEST_F(ControllerTest, MeasuresAtItsIntervalsUntilTheCountIsReached) {
  create_run(kPlain);
  start();
  loop->run_for(15s);
  EXPECT_EQ(measurements().size(), 2U);
  EXPECT_EQ(phase(), "Running|");
  loop->run_for(1h);
  EXPECT_EQ(sources.asked.size(), 3U);
  EXPECT_EQ(phase(), "Successful|");
  EXPECT_EQ(reasons(), (std::vector<std::string>{"AnalysisRunSuccessful", "MetricSuccessful"}));
  const json::Value done = status();
  EXPECT_EQ(done.at("metricResults").at(0).at("count"), 3);
  EXPECT_EQ(
      json::string_at(done.at("metricResults").at(0), {"metadata", "ResolvedPrometheusQuery"}),
      "up");
}

TEST_F(ControllerTest, IntervalsDoNotDrift) {
  sources.takes = [](const auto&) { return 300ms; };
  create_run(
      R"({"name":"m","interval":"10s","provider":{"prometheus":{"address":"http://p","query":"up"}}})");
  start();
  loop->run_for(3600s);
  EXPECT_GE(sources.asked.size(), 359U);
  EXPECT_LE(sources.asked.size(), 361U);
  EXPECT_EQ(measurements().size(), 10U) << "only so many are kept";
}

TEST_F(ControllerTest, AnIntervalUnderASecondIsNoBusyLoop) {
  create_run(
      R"({"name":"m","interval":"500ms","provider":{"prometheus":{"address":"http://p","query":"up"}}})");
  start();
  loop->run_for(10s);
  EXPECT_GE(sources.asked.size(), 15U);
  EXPECT_LE(sources.asked.size(), 22U);
}

TEST_F(ControllerTest, AFinishedRunWaitsForNothing) {
  create_run(kPlain);
  start();
  loop->run_for(1h);
  for (const auto& depth : life->manager.depths()) EXPECT_EQ(depth.keys, 0U) << depth.name;
}

TEST_F(ControllerTest, FailsAtOnceWhenALimitIsPassed) {
  sources.answer = [](const auto&) { return number_answer(9); };
  create_run(kPlain);
  start();
  loop->run_for(1s);
  EXPECT_EQ(phase(), "Failed|Metric \"m\" assessed Failed due to failed (1) > failureLimit (0)");
  EXPECT_EQ(reasons(), (std::vector<std::string>{"AnalysisRunFailed", "MetricFailed"}));
}

TEST_F(ControllerTest, ErrorsAreTriedAgainUntilTheirLimit) {
  sources.answer = [](const auto&) -> Result<metrics::Answer> {
    return fail(ErrorCode::kUnavailable, "connection refused");
  };
  create_run(kPlain);
  start();
  loop->run_for(1h);
  EXPECT_EQ(sources.asked.size(), 5U);
  EXPECT_EQ(phase(),
            "Error|Metric \"m\" assessed Error due to consecutiveErrors (5) > "
            "consecutiveErrorLimit (4): \"Error Message: connection refused\"");
}

TEST_F(ControllerTest, WhatCannotBeRunIsRefused) {
  create_run(R"({"name":"m","count":2,"provider":{"web":{"url":"http://w"}}})");
  start();
  loop->run_for(1s);
  EXPECT_EQ(phase(),
            "Error|Analysis spec invalid: metrics[0]: interval must be specified when count > 1");
  EXPECT_TRUE(sources.asked.empty());
}

TEST_F(ControllerTest, ArgumentsThatAreNotThereEndTheRun) {
  create_run(R"({"name":"m","provider":{"web":{"url":"http://{{args.host}}"}}})");
  start();
  loop->run_for(1s);
  EXPECT_EQ(phase(), "Error|Unable to resolve metric arguments: failed to resolve {{args.host}}");
}

TEST_F(ControllerTest, ArgumentsAreResolvedForEveryField) {
  create_run(R"({"name":"m","interval":"{{args.every}}","count":"{{args.n}}",
      "provider":{"prometheus":{"address":"http://p","query":"x{a=\"{{args.a}}\"}"}}})",
             R"(,"args":[{"name":"every","value":"20s"},{"name":"n","value":"2"},
      {"name":"a","value":"b\"c"}])");
  start();
  loop->run_for(1h);
  EXPECT_EQ(sources.asked.size(), 2U);
  EXPECT_EQ(sources.asked[0].query.text, "x{a=\"b\"c\"}");
  EXPECT_EQ(phase(), "Successful|");
}

const std::string kSecretArgs =
    R"(,"args":[{"name":"t","valueFrom":{"secretKeyRef":{"name":"creds","key":"token"}}}])";

TEST_F(ControllerTest, SecretsAreAskedWithAndNeverWrittenDown) {
  json::Object secret = named("Secret", "creds");
  secret["data"] = json::Object{{"token", base64_encode("hunter2")}};
  create({"", "v1", "secrets"}, "default", std::move(secret));
  sources.answer = [](const FakeSources::Asked& asked) -> Result<metrics::Answer> {
    return fail(ErrorCode::kInvalid, "cannot parse " + asked.query.text);
  };
  create_run(
      R"({"name":"m","consecutiveErrorLimit":0,"provider":{"prometheus":{"address":"http://p",
      "query":"x{t=\"{{args.t}}\"}"}}})",
      kSecretArgs);
  start();
  loop->run_for(1s);
  ASSERT_EQ(sources.asked.size(), 1U);
  EXPECT_EQ(sources.asked[0].query.text, "x{t=\"hunter2\"}");
  EXPECT_EQ(phase(),
            "Error|Metric \"m\" assessed Error due to consecutiveErrors (1) > "
            "consecutiveErrorLimit (0): \"Error Message: cannot parse x{t=\"*****\"}\"");
  EXPECT_EQ(json::write(read(kRuns, kRun)).find("hunter2"), std::string::npos);
  for (const auto& event : list(kEvents))
    EXPECT_EQ(json::write(event).find("hunter2"), std::string::npos);
}

TEST_F(ControllerTest, ASecretThatIsNotThereEndsTheRun) {
  create_run(R"({"name":"m","provider":{"web":{"url":"http://{{args.t}}"}}})", kSecretArgs);
  start();
  loop->run_for(1s);
  EXPECT_EQ(phase(), "Error|Unable to resolve metric arguments: secrets \"creds\" not found");
}

TEST_F(ControllerTest, ADelayedMetricStartsWithTheRunAndIsMeasuredLater) {
  create_run(
      R"({"name":"m","initialDelay":"5m","provider":{"prometheus":{"address":"http://p","query":"up"}}})");
  start();
  loop->run_for(299s);
  EXPECT_EQ(phase(), "Running|");
  EXPECT_TRUE(sources.asked.empty());
  loop->run_for(2s);
  EXPECT_EQ(phase(), "Successful|");
}

TEST_F(ControllerTest, ARunThatIsToldToEndEnds) {
  create_run(
      R"({"name":"m","interval":"10s","provider":{"prometheus":{"address":"http://p","query":"up"}}})");
  start();
  loop->run_for(25s);
  patch(R"({"spec":{"terminate":true}})");
  loop->run_for(1s);
  EXPECT_EQ(phase(), "Successful|Run Terminated");
}

TEST_F(ControllerTest, GoesWhenItsTimeIsUp) {
  create_run(kPlain, R"(,"ttlStrategy":{"secondsAfterCompletion":60})");
  start();
  loop->run_for(20s + 59s);
  EXPECT_TRUE(exists(kRuns, kRun));
  loop->run_for(5s);
  EXPECT_FALSE(exists(kRuns, kRun));
}

TEST_F(ControllerTest, AnEditWhileItMeasuresCostsNoMeasurement) {
  sources.takes = [](const auto&) { return 5s; };
  create_run(R"({"name":"m","provider":{"prometheus":{"address":"http://p","query":"up"}}})");
  start();
  loop->run_for(2s);
  patch(R"({"metadata":{"labels":{"edited":"yes"}}})");
  loop->run_for(1h);
  EXPECT_EQ(sources.asked.size(), 1U);
  EXPECT_EQ(measurements().size(), 1U);
  EXPECT_EQ(phase(), "Successful|");
}

TEST_F(ControllerTest, AStatusThatSomebodyElseWroteStands) {
  sources.takes = [](const auto&) { return 5s; };
  create_run(R"({"name":"m","provider":{"prometheus":{"address":"http://p","query":"up"}}})");
  start();
  loop->run_for(2s);
  patch(R"({"status":{"phase":"Inconclusive","message":"by hand"}})");
  loop->run_for(1h);
  EXPECT_EQ(phase(), "Inconclusive|by hand");
  EXPECT_TRUE(measurements().empty());
}

TEST_F(ControllerTest, AStatusThatDoesNotFitEndsTheRun) {
  sources.answer = [](const auto&) {
    return metrics::Answer{.shape = metrics::Answer::Shape::kDocument,
                           .document = json::Value(std::string(10'000, 'x'))};
  };
  std::string metrics;
  for (int i = 0; i < 250; ++i)
    metrics += (i ? "," : "") + (R"({"name":"m)" + std::to_string(i)) +
               R"(","interval":"1s","provider":{"web":{"url":"http://w)" + std::to_string(i) +
               R"("}}})";
  create_run(metrics);
  start();
  loop->run_for(1min);
  EXPECT_TRUE(phase().starts_with("Error|the status cannot be kept: ")) << phase();
}

TEST_F(ControllerTest, ManyRunsOfASlowSourceDoNotHoldUpOthers) {
  sources.takes = [](const FakeSources::Asked& asked) {
    return asked.spec.address == "http://slow" ? Duration(1h) : Duration();
  };
  for (int i = 0; i < 300; ++i) {
    auto run = json::read(
        R"({"apiVersion":"argoproj.io/v1alpha1","kind":"AnalysisRun","metadata":{"name":"slow-)" +
        std::to_string(i) +
        R"("},"spec":{"metrics":[{"name":"m","provider":{"prometheus":{"address":"http://slow",
        "query":"up"}}}]}})");
    create(kRuns, "default", run->as_object());
  }
  create_run(kPlain);
  start();
  loop->run_for(21s);
  EXPECT_EQ(phase(), "Successful|");
}

// What a comparison saw: two samples with the same law, so that it goes on to its end.
Result<metrics::Answer> noise(const FakeSources::Asked& asked) {
  metrics::Answer answer{.series = {{}}};
  for (Time at = asked.query.range->from; at < asked.query.range->to; at += 10s) {
    const auto tick = at.time_since_epoch() / 10s;
    answer.series[0].points.push_back(
        {at, 1.0 + static_cast<double>((tick * (asked.query.text == "control" ? 7 : 11)) % 13)});
  }
  return answer;
}

// The number of each look, as its measurement has it.
std::vector<std::int64_t> looks(const json::Array& measurements) {
  std::vector<std::int64_t> numbers;
  for (const auto& measurement : measurements) {
    const auto value = json::read(measurement.at("value").as_string());
    const json::Value* look = value ? json::at(*value, {"look", "look"}) : nullptr;
    numbers.push_back(look ? look->to_number<std::int64_t>() : -1);
  }
  return numbers;
}

constexpr int kWritesOfARun = 4;  // of kCompare: one a look

TEST_F(ControllerTest, KilledAfterAnyWriteItGoesOnWithTheLookItWasAt) {
  for (int writes = 1; writes <= kWritesOfARun + 1; ++writes) {
    sources.answer = noise;
    sources.takes = [](const auto&) { return 2s; };
    create_run(kCompare);
    start();
    life->store.dies_at = writes - 1;
    life->store.last_happens = true;
    for (int i = 0; i < 600 && !life->store.dead(); ++i) loop->run_for(1s);
    EXPECT_EQ(life->store.dead(), writes <= kWritesOfARun) << writes;
    loop->run_for(7s);
    end();
    start();
    loop->run_for(1h);
    EXPECT_EQ(looks(measurements()), (std::vector<std::int64_t>{1, 2, 3, 4})) << writes;
    EXPECT_EQ(phase(), "Successful|") << writes;
    end();
    remove(kRuns, kRun);
  }
}

TEST_F(ControllerTest, AWriteWhoseAnswerWasLostIsNotMadeTwice) {
  for (int lost = 0; lost < kWritesOfARun; ++lost) {
    sources.answer = noise;
    create_run(kCompare);
    start();
    life->store.lose_answer = lost;
    loop->run_for(1h);
    EXPECT_GT(life->store.writes, lost);
    EXPECT_EQ(looks(measurements()), (std::vector<std::int64_t>{1, 2, 3, 4})) << lost;
    EXPECT_EQ(status().at("metricResults").at(0).at("count"), 4) << lost;
    end();
    remove(kRuns, kRun);
  }
}

// The moments of all samples of one side, look after look.
std::vector<std::int64_t> moments(const json::Array& measurements, std::string_view side) {
  std::vector<std::int64_t> found;
  for (const auto& measurement : measurements) {
    const json::Value* points = json::at(measurement, {"samples", side});
    if (!points) continue;
    for (const auto& point : points->as_array())
      found.push_back(point.as_array()[0].to_number<std::int64_t>());
  }
  return found;
}

TEST_F(ControllerTest, WhateverGoesWrongEachLookAndEachPointIsJudgedOnce) {
  sources.answer = noise;
  sources.takes = [](const auto&) { return 2s; };
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto draw = seeded_random(seed);
    create_run(kCompare);
    for (int lives = 0; lives < 12; ++lives) {
      start();
      if (draw->unit() < 0.5) life->store.dies_at = static_cast<int>(draw->below(3));
      life->store.last_happens = true;
      if (draw->unit() < 0.3) life->store.lose_answer = static_cast<int>(draw->below(3));
      loop->run_for(std::chrono::milliseconds(draw->below(90'000)));
      if (draw->unit() < 0.5)
        patch(R"({"metadata":{"labels":{"life":"x)" + std::to_string(lives) + "\"}}}");
      loop->run_for(std::chrono::milliseconds(draw->below(5'000)));
      end();
    }
    start();
    loop->run_for(1h);
    end();
    EXPECT_EQ(looks(measurements()), (std::vector<std::int64_t>{1, 2, 3, 4})) << seed;
    for (std::string_view side : {"control", "experiment"}) {
      const auto judged = moments(measurements(), side);
      EXPECT_FALSE(judged.empty()) << seed;
      EXPECT_EQ(std::ranges::adjacent_find(judged, std::ranges::greater_equal()), judged.end())
          << seed;
    }
    remove(kRuns, kRun);
  }
}

TEST_F(ControllerTest, StoppedWhileItMeasuresItWritesNothing) {
  sources.takes = [](const auto&) { return 10s; };
  create_run(R"({"name":"m","provider":{"prometheus":{"address":"http://p","query":"up"}}})");
  start();
  loop->run_for(2s);
  end();
  EXPECT_TRUE(measurements().empty());
  start();
  loop->run_for(1min);
  EXPECT_EQ(measurements().size(), 1U);
}

}  // namespace
}  // namespace slipway::analysis
