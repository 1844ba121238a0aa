#include "server/metric_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace slipway::server {
namespace {

TEST(MetricText, WritesAFamilyWithItsSamples) {
  std::string text;
  MetricText metrics(text);
  metrics.begin("web_info", "gauge", "About the web.");
  metrics.sample({{"name", "a"}, {"phase", ""}}, 1);
  metrics.sample({}, 0.25);
  EXPECT_EQ(text,
            "# HELP web_info About the web.\n# TYPE web_info gauge\n"
            "web_info{name=\"a\",phase=\"\"} 1\nweb_info 0.25\n");
}

TEST(MetricText, AFamilyWithoutSamplesIsLeftOut) {
  std::string text;
  MetricText metrics(text);
  metrics.begin("none", "gauge", "Nothing.");
  metrics.begin("one", "counter", "One.");
  metrics.sample({}, 1);
  EXPECT_EQ(text.find("none"), std::string::npos);
}

TEST(MetricText, AFamilyGoesOnInAnotherText) {
  std::string first, second, third;
  MetricText none(first);
  none.begin("web_info", "gauge", "About the web.");
  EXPECT_FALSE(none.has_begun());
  MetricText one(second);
  one.begin("web_info", "gauge", "About the web.");
  one.sample({}, 1);
  EXPECT_TRUE(one.has_begun());
  MetricText more(third);
  more.go_on("web_info");
  EXPECT_TRUE(more.has_begun());
  more.sample({}, 2);
  EXPECT_EQ(first + second + third,
            "# HELP web_info About the web.\n# TYPE web_info gauge\nweb_info 1\nweb_info 2\n");
}

TEST(MetricText, LabelsAreEscaped) {
  std::string text;
  MetricText metrics(text);
  metrics.begin("x", "gauge", "X.");
  metrics.sample({{"reason", "a \"b\"\\\nc"}}, 1);
  EXPECT_NE(text.find(R"(x{reason="a \"b\"\\\nc"} 1)"), std::string::npos) << text;
}

TEST(MetricText, BucketsOfAHistogramAddUp) {
  static constexpr double kBounds[] = {0.01, 0.5, 30};
  control::Histogram histogram(kBounds);
  for (const double value : {0.001, 0.3, 0.4, 99.0}) histogram.observe(value);
  std::string text;
  MetricText metrics(text);
  metrics.begin("took", "histogram", "Time.");
  metrics.histogram({{"name", "a"}}, histogram);
  EXPECT_EQ(text,
            "# HELP took Time.\n# TYPE took histogram\n"
            "took_bucket{name=\"a\",le=\"0.01\"} 1\ntook_bucket{name=\"a\",le=\"0.5\"} 3\n"
            "took_bucket{name=\"a\",le=\"30\"} 3\ntook_bucket{name=\"a\",le=\"+Inf\"} 4\n"
            "took_sum{name=\"a\"} 99.701\ntook_count{name=\"a\"} 4\n");
}

TEST(MetricText, NumbersAreWrittenAsPrometheusReadsThem) {
  std::string text;
  MetricText metrics(text);
  metrics.begin("x", "gauge", "X.");
  metrics.sample({}, std::numeric_limits<double>::infinity());
  metrics.sample({}, std::numeric_limits<double>::quiet_NaN());
  metrics.sample({}, 20000);
  EXPECT_TRUE(text.ends_with("x +Inf\nx NaN\nx 20000\n")) << text;
}

}  // namespace
}  // namespace slipway::server
