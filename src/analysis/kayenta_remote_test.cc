#include "analysis/kayenta_remote.h"

#include <gtest/gtest.h>

#include "analysis/phase.h"
#include "metrics/recording_testing.h"

namespace slipway::analysis {
namespace {

using namespace std::chrono_literals;
using api::argo::AnalysisRun;
using api::argo::Measurement;
using metrics::testing::RecordingServer;

AnalysisRun run_of(const std::string& address) {
  AnalysisRun run;
  api::argo::Metric metric{.name = "kayenta", .interval = {"10m"}};
  auto& kayenta = metric.provider.kayenta.emplace();
  kayenta = {.address = address,
             .application = "web",
             .canary_config_name = "my config",
             .metrics_account_name = "metrics",
             .configuration_account_name = "config",
             .storage_account_name = "storage",
             .threshold = {.pass = 90, .marginal = 75}};
  kayenta.scopes.push_back({.name = "default",
                            .control_scope = {.scope = "base", .region = "eu", .step = 60},
                            .experiment_scope = {.scope = "canary", .region = "eu", .step = 60}});
  run.spec.metrics.push_back(std::move(metric));
  run.status.emplace().started_at = Time(1'700'000'000s);
  return run;
}

struct Fixture {
  std::unique_ptr<Loop> loop = make_loop();
  RecordingServer server{*loop};
  metrics::Connections connections{*loop, [](const std::string&) { return std::string(); }};
  KayentaRemote provider{connections};
  AnalysisRun run = run_of(server.url());

  template <class T>
  T wait(slipway::Task<T> task) {
    return run_to_end(*loop, std::move(task));
  }
};

TEST(ExecutionRequest, JudgesTheLastIntervalOrAllOfTheRun) {
  AnalysisRun run = run_of("http://kayenta");
  const Time now = Time(1'700'000'000s) + 1h;
  const auto scope = [&](const char* side) {
    const json::Value request = execution_request(run, 0, now).value();
    return json::write(*json::at(request, {"scopes", "default", side}));
  };
  EXPECT_EQ(scope("controlScope"),
            R"({"scope":"base","location":"eu","step":60,"start":"2023-11-14T23:03:20Z",)"
            R"("end":"2023-11-14T23:13:20Z"})");
  run.spec.metrics[0].provider.kayenta->lookback = true;
  EXPECT_NE(scope("experimentScope").find(R"("start":"2023-11-14T22:13:20Z")"), std::string::npos);
  run.spec.metrics[0].provider.kayenta->scopes[0].control_scope.start = "2023-11-14T00:00:00Z";
  EXPECT_EQ(execution_request(run, 0, now).error().message,
            "controlScope.start and experimentScope.start must both be set or be empty");
}

TEST(KayentaRemote, StartsAnExecutionOfTheConfigurationByItsName) {
  Fixture f;
  f.server.answer(200, R"([{"id":"a","name":"other"},{"id":"b c","name":"my config"}])");
  f.server.answer(200, R"({"canaryExecutionId":"01ABC"})");
  const Measurement started = f.wait(f.provider.start(f.run, 0, {}));
  EXPECT_EQ(started.phase, kRunning) << started.message;
  EXPECT_EQ(started.metadata.at("canaryExecutionId"), "01ABC");
  EXPECT_EQ(*started.resume_at - *started.started_at, Duration(15s));
  ASSERT_EQ(f.server.requests.size(), 2u);
  EXPECT_TRUE(f.server.requests[0].starts_with(
      "GET /canaryConfig?application=web&configurationAccountName=storage HTTP/1.1"))
      << f.server.requests[0];
  EXPECT_TRUE(f.server.requests[1].starts_with(
      "POST /canary/b%20c?application=web&metricsAccountName=metrics&"
      "configurationAccountName=config&storageAccountName=storage HTTP/1.1"))
      << f.server.requests[1];
  EXPECT_NE(f.server.requests[1].find(R"("thresholds":{"pass":90,"marginal":75})"),
            std::string::npos);
}

TEST(KayentaRemote, SaysThatThereIsNoSuchConfiguration) {
  Fixture f;
  f.server.answer(200, "[]");
  const Measurement got = f.wait(f.provider.start(f.run, 0, {}));
  EXPECT_EQ(got.phase, kError);
  EXPECT_EQ(got.message, "Canary config not found: \"my config\"");
}

TEST(KayentaRemote, ReadsTheScoreOfACompleteExecution) {
  struct Case {
    std::string body;
    std::string_view phase;
    std::string value, message;
  };
  const auto scored = [](const std::string& score) {
    return R"({"complete":true,"result":{"judgeResult":{"score":{"score":)" + score + "}}}}";
  };
  for (const Case& c :
       {Case{scored("95"), kSuccessful, "95", ""}, Case{scored("90.0"), kSuccessful, "90", ""},
        Case{scored("89.99"), kInconclusive, "89", ""}, Case{scored("74"), kFailed, "74", ""},
        Case{R"({"complete":false})", kRunning, "", ""},
        Case{R"({"complete":true})", kError, "", "Missing Score"},
        Case{"{}", kError, "", "Missing Complete Status"}}) {
    Fixture f;
    f.server.answer(200, c.body);
    Measurement running{.phase = std::string(kRunning),
                        .metadata = {{"canaryExecutionId", "01ABC"}}};
    const Measurement got = f.wait(f.provider.resume(f.run, 0, running, {}));
    EXPECT_EQ(got.phase, c.phase) << c.body;
    EXPECT_EQ(got.value, c.value);
    EXPECT_EQ(got.message, c.message);
    EXPECT_EQ(got.resume_at.has_value(), c.phase == kRunning);
    EXPECT_TRUE(f.server.requests[0].starts_with("GET /canary/01ABC HTTP/1.1"));
  }
}

TEST(KayentaRemote, AsksAgainWhenAPollIsLostButNotForEver) {
  Fixture f;
  f.server.answer(503, "busy");
  Measurement running{.phase = std::string(kRunning), .metadata = {{"canaryExecutionId", "01ABC"}}};
  for (int i = 0; i < KayentaRemote::kMaxLostPolls; ++i) {
    running = f.wait(f.provider.resume(f.run, 0, running, {}));
    ASSERT_EQ(running.phase, kRunning) << i;
  }
  running = f.wait(f.provider.resume(f.run, 0, running, {}));
  EXPECT_EQ(running.phase, kError);
  EXPECT_NE(running.message.find("503"), std::string::npos) << running.message;
  EXPECT_FALSE(running.metadata.contains("lostPolls"));
}

TEST(KayentaRemote, CancelsWhatIsTerminated) {
  Fixture f;
  f.server.answer(200, "{}");
  Measurement running{.phase = std::string(kRunning), .metadata = {{"canaryExecutionId", "01ABC"}}};
  const Measurement got = f.wait(f.provider.terminate(f.run, 0, running, {}));
  EXPECT_EQ(got.phase, kInconclusive);
  EXPECT_EQ(got.message, "Metric Terminated");
  EXPECT_TRUE(f.server.requests[0].starts_with("PUT /pipelines/01ABC/cancel"));
}

}  // namespace
}  // namespace slipway::analysis
