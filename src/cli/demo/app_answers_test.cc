#include "cli/demo/app_answers.h"

#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

TEST(DemoApp, FailsOnlyPages) {
  struct Case {
    std::string_view path;
    bool fails;
    int status;
    std::string_view route;
  };
  const Case cases[] = {{"/", false, 200, "/"},
                        {"/", true, 500, "/"},
                        {"/api/items", true, 500, "/api/items"},
                        {"/healthz", true, 200, ""},
                        {"/nowhere", false, 404, ""}};
  for (const Case& one : cases) {
    const AppAnswer answer = app_answer(one.path, "v1", one.fails);
    EXPECT_EQ(answer.status, one.status) << one.path;
    EXPECT_EQ(answer.route, one.route) << one.path;
  }
}

TEST(DemoApp, SpreadsFailuresEvenly) {
  for (const double share : {0.0, 0.01, 0.2, 0.3, 1.0})
    for (const double owed : {0.0, 0.5, 0.99}) {
      AppFailures failures(share, owed);
      for (int stretch = 0; stretch < 20; ++stretch) {
        int failed = 0;
        for (int i = 0; i < 1000; ++i) failed += failures.next() ? 1 : 0;
        EXPECT_NEAR(failed, 1000 * share, 1) << share << " from " << owed;
      }
    }
}

TEST(DemoApp, CountsEachAnswerOnce) {
  AppCounters counters("v2");
  const auto has = [&](std::string_view line) { return counters.text().contains(line); };
  EXPECT_TRUE(has("http_requests_total{version=\"v2\",route=\"/\",code=\"500\"} 0\n"));
  counters.count(app_answer("/", "v2", true), std::chrono::milliseconds(3));
  counters.count(app_answer("/", "v2", false), std::chrono::milliseconds(5));
  counters.count(app_answer("/healthz", "v2", false), std::chrono::milliseconds(5));
  EXPECT_TRUE(has("http_requests_total{version=\"v2\",route=\"/\",code=\"500\"} 1\n"));
  EXPECT_TRUE(has("http_requests_total{version=\"v2\",route=\"/\",code=\"200\"} 1\n"));
  EXPECT_TRUE(has("http_request_duration_seconds_bucket{version=\"v2\",le=\"0.002\"} 0\n"));
  EXPECT_TRUE(has("http_request_duration_seconds_bucket{version=\"v2\",le=\"0.005\"} 2\n"));
  EXPECT_TRUE(has("http_request_duration_seconds_bucket{version=\"v2\",le=\"+Inf\"} 2\n"));
  EXPECT_TRUE(has("http_request_duration_seconds_count{version=\"v2\"} 2\n"));
}

}  // namespace
}  // namespace slipway::cli
