// Against a server that speaks Prometheus' protocol, well or badly, over real HTTP.
#include <gtest/gtest.h>

#include "analysis/measure.h"
#include "analysis/phase.h"
#include "metrics/recording_testing.h"
#include "store/embedded.h"

namespace slipway::analysis {
namespace {

using metrics::testing::RecordingServer;

struct MeasureHttpTest : testing::Test {
  // "Phase value: message" of one measurement of `address`.
  std::string measured(std::string address, std::int64_t timeout = 20) {
    api::argo::Metric metric{.name = "m", .success_condition = "result[0] < 0.05"};
    metric.provider.prometheus = {
        .address = std::move(address), .query = "error_rate", .timeout = timeout};
    auto run = std::make_shared<api::argo::AnalysisRun>();
    run->spec.metrics = {metric};
    auto all = run_to_end(*loop, measurer.measure(run, {Task{}}, {}));
    if (all.size() != 1) return "nothing";
    const auto& one = all.front().measurement;
    return one.phase + " " + one.value + (one.message.empty() ? "" : ": " + one.message);
  }
  std::string vector(std::string_view value) {
    return R"({"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1700000000,)" +
           std::string(value) + "]}]}}";
  }

  std::unique_ptr<Loop> loop = make_loop();
  std::unique_ptr<Random> random = seeded_random(1);
  std::unique_ptr<api::Registry> registry = api::Registry::make();
  std::unique_ptr<store::EmbeddedStore> store = store::make_memory_store(*loop, *registry, *random);
  metrics::Connections connections{*loop, [](const std::string&) { return std::string(); }};
  RecordingServer server{*loop};
  Measurer measurer{*loop, *store, [this](metrics::ProviderSpec spec) {
                      return metrics::make_provider(std::move(spec), connections);
                    }};
};

TEST_F(MeasureHttpTest, AGoodAnswerIsJudged) {
  server.answer(200, vector(R"("0.01")"));
  EXPECT_EQ(measured(server.url()), "Successful [0.01]");
  server.answer(200, vector(R"("0.5")"));
  EXPECT_EQ(measured(server.url()), "Failed [0.5]");
  ASSERT_EQ(server.requests.size(), 2U);
  EXPECT_TRUE(server.requests[0].starts_with("POST /api/v1/query HTTP/1.1\n"));
  EXPECT_NE(server.requests[0].find("query=error_rate"), std::string::npos);
}

TEST_F(MeasureHttpTest, WhatASourceMaySayBadlyHasAClearMessage) {
  const std::tuple<int, std::string, std::string, std::string> cases[] = {
      {200, vector(R"("NaN")"), "", "Failed [NaN]"},
      {200, "<html>", "", "Error : error unmarshaling result: "},
      {200, vector(R"({"a":1})"), "", "Error : "},
      {200, R"({"status":"success","data":{"resultType":"vector","result":[]}})", "",
       "Error []: could not evaluate successCondition \"result[0] < 0.05\": metric result is nil "
       "or "
       "empty: no data returned from the metric provider"},
      {400, R"({"status":"error","errorType":"bad_data","error":"parse error"})", "", "Error : "},
      {503, "busy", "", "Error : error response: Status 503 Service Unavailable: busy"},
  };
  for (const auto& [status, body, headers, expected] : cases) {
    RecordingServer one{*loop};
    one.answer(status, body, headers);
    const std::string found = measured(one.url());
    EXPECT_TRUE(found.starts_with(expected)) << found;
    EXPECT_LE(found.size(), 2U * Measurer::kMaxMessage);
  }
}

TEST_F(MeasureHttpTest, RedirectsForEverAreGivenUp) {
  server.answer(302, "", "Location: " + server.url("/api/v1/query") + "\r\n");
  EXPECT_EQ(measured(server.url()),
            "Error : stopped after 10 redirects; give the address they should end at");
}

TEST_F(MeasureHttpTest, AnAnswerWithoutEndIsNotReadToTheEnd) {
  server.answer_raw("HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n" +
                    std::string(40 * 1024 * 1024, ' '));
  const std::string found = measured(server.url());
  EXPECT_TRUE(found.starts_with("Error : ")) << found;
  EXPECT_LE(found.size(), Measurer::kMaxMessage);
}

TEST_F(MeasureHttpTest, SilenceEndsWithTheTimeout) {
  EXPECT_TRUE(measured(server.url(), 1).starts_with("Error : "));
}

TEST_F(MeasureHttpTest, ASourceThatIsDownIsSaid) {
  std::string address;
  {
    RecordingServer gone{*loop};
    address = gone.url();
  }
  const std::string found = measured(address);
  EXPECT_TRUE(found.starts_with("Error : ")) << found;
  EXPECT_NE(found.find("127.0.0.1"), std::string::npos) << found;
}

}  // namespace
}  // namespace slipway::analysis
