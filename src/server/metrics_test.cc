#include "server/metrics.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace slipway::server {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Metrics, CountsRequestsByVerbResourceAndCode) {
  Metrics metrics;
  metrics.count_request("get", "pods", 200, std::chrono::milliseconds(2));
  metrics.count_request("get", "pods", 200, std::chrono::milliseconds(2));
  metrics.count_request("get", "pods", 404, std::chrono::milliseconds(2));
  auto text = metrics.text();
  EXPECT_TRUE(
      contains(text, R"(slipway_api_requests_total{code="200",resource="pods",verb="get"} 2)"))
      << text;
  EXPECT_TRUE(
      contains(text, R"(slipway_api_request_duration_seconds_count{resource="pods",verb="get"} 3)"))
      << text;
}

TEST(Metrics, CountsWatchesWhileTheyAreOpen) {
  Metrics metrics;
  {
    Metrics::OpenWatch watch(metrics, "pods");
    EXPECT_TRUE(contains(metrics.text(), R"(slipway_api_watches{resource="pods"} 1)"));
  }
  EXPECT_TRUE(contains(metrics.text(), R"(slipway_api_watches{resource="pods"} 0)"));
}

TEST(Metrics, NumberOfLabelsIsBounded) {
  Metrics metrics;
  for (int i = 0; i < 1000; ++i)
    metrics.count_request("get", fmt::format("kind{}", i), 200, Duration::zero());
  auto text = metrics.text();
  EXPECT_FALSE(contains(text, "kind999"));
  EXPECT_TRUE(contains(text, R"(resource="other",verb="get"} 800)")) << text;
}

TEST(Metrics, ReadsSourcesWhenAsked) {
  Metrics metrics;
  double value = 1;
  metrics.add_source("slipway_store_commits_total", "Commits.", Metrics::Type::kCounter,
                     [&] { return std::vector<Metrics::Sample>{{{{"kind", "x"}}, value}}; });
  value = 7;
  EXPECT_TRUE(contains(metrics.text(), "slipway_store_commits_total{kind=\"x\"} 7"))
      << metrics.text();
}

TEST(Metrics, TextComesAfterTheOtherFamilies) {
  Metrics metrics;
  const auto once = [](std::string line) {
    return [line] { return [line](std::string& to) { return to += line, false; }; };
  };
  metrics.add_text(once("first 1\n"));
  metrics.add_text(once("second 2\n"));
  EXPECT_TRUE(metrics.text().ends_with("first 1\nsecond 2\n")) << metrics.text();
}

TEST(Metrics, EachScrapeBeginsAnewAndIsWrittenPartByPart) {
  Metrics metrics;
  metrics.add_text([] {
    return [left = 3](std::string& to) mutable {
      to += fmt::format("left {}\n", --left);
      return left > 0;
    };
  });
  for (int scrapes = 0; scrapes < 2; ++scrapes) {
    const auto write = metrics.scrape();
    std::vector<std::string> parts;
    for (bool more = true; more;) more = write(parts.emplace_back());
    ASSERT_EQ(parts.size(), 4u);
    EXPECT_TRUE(contains(parts[0], "slipway_api_requests_in_flight"));
    EXPECT_EQ(parts[1] + parts[2] + parts[3], "left 2\nleft 1\nleft 0\n");
  }
}

}  // namespace
}  // namespace slipway::server
