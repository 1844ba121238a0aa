#include "analysis/report/page.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analysis/report/axis.h"
#include "analysis/report/chart.h"
#include "analysis/report/html.h"
#include "analysis/report/run_fixture.h"

namespace slipway::analysis::report {
namespace {

using api::argo::AnalysisRun;

std::string page_of(const AnalysisRun& run) { return report_page({&run, 1}); }

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

bool holds(std::string_view text, std::string_view part) { return count(text, part) > 0; }

// Every element is closed by its own kind, in order; void ones stand alone.
std::string unbalanced(std::string_view page) {
  std::vector<std::string> open;
  for (auto at = page.find('<'); at != page.npos; at = page.find('<', at + 1)) {
    const auto end = page.find('>', at);
    if (end == page.npos) return "a tag without end";
    const std::string_view tag = page.substr(at + 1, end - at - 1);
    const std::string name(tag.substr(0, tag.find_first_of(" \n")));
    if (tag.starts_with('!') || name == "meta" || tag.ends_with('/')) continue;
    if (!name.starts_with('/')) {
      open.push_back(name);
      if (name == "style" || name == "script") at = page.find("</", at) - 1;
      continue;
    }
    if (open.empty() || open.back() != name.substr(1)) return "unexpected <" + name + ">";
    open.pop_back();
  }
  return open.empty() ? "" : "open: " + open.back();
}

TEST(Report, TellsOfAgesBetweenBeginAndEnd) {
  const auto run = run_from(R"yaml(
apiVersion: argoproj.io/v1alpha1
kind: AnalysisRun
metadata: {name: web}
spec: {metrics: []}
status: {phase: Successful, startedAt: '1687-01-02T15:00:00Z', completedAt: '2026-01-02T15:00:00Z'}
)yaml");
  EXPECT_TRUE(page_of(run).contains("took 2562047h47m16s"));
}

TEST(Report, SaysTheVerdictFirstThenEachMetric) {
  const auto page = page_of(run_from(kComparedRun));
  EXPECT_EQ(unbalanced(page), "");
  const auto verdict = page.find("reached its boundary 2.7");
  EXPECT_LT(verdict, page.find("<section"));
  EXPECT_EQ(count(page, "<section"), 2U);
  for (const char* part : {
           "<title>Failed: web</title>",
           "class=\"line control\"",
           "class=\"line experiment\"",
           "class=\"line boundary\"",
           "class=\"interval\"",
           "experiment − control: 0.5 (from 0.2 to 0.8)",
           "lat{v=&quot;a&quot;,hash=&quot;1&quot;}",
           "class=\"copy\"",
           "&quot;control&quot;,1767366060,1.15\n",
           "look 2: z 3.2, boundary 2.7, p 0.002",
           "took 2m30s",
           "prefers-color-scheme: dark",
       })
    EXPECT_TRUE(holds(page, part)) << part;
}

TEST(Report, NeedsNothingElse) {
  const auto page = page_of(run_from(kComparedRun));
  for (const char* part : {"src=", "url(", "@import", "<link", "<iframe", "fetch("})
    EXPECT_FALSE(holds(page, part)) << part;
  EXPECT_EQ(count(page, "href="), count(page, "href=\"#"));
  EXPECT_TRUE(holds(page, "default-src 'none'"));
}

TEST(Report, IsTheSameForTheSameRun) {
  EXPECT_EQ(page_of(run_from(kComparedRun)), page_of(run_from(kComparedRun)));
}

TEST(Report, ShowsHostileTextAsText) {
  const std::string evil =
      "</pre></title><script>alert(1)</script><img src=x onerror='alert(2)'>\"";
  auto run = run_from(kComparedRun);
  run.metadata.value.get_object()["name"] = evil;
  run.status->message = evil;
  for (auto& metric : run.spec.metrics) metric.name += evil;
  for (auto& result : run.status->metric_results) {
    result.name += evil;
    result.message = evil;
    result.phase = evil;
    result.metadata["ResolvedControlQuery"] = evil;
    for (auto& measurement : result.measurements) {
      measurement.message = evil;
      measurement.phase = evil;
      if (measurement.samples.value.is_object())
        measurement.samples.value.get_object()[evil] = json::Array{json::Array{1767366060, 5}};
    }
  }
  const auto page = page_of(run);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(count(page, "<script>"), 1U);
  EXPECT_FALSE(holds(page, "<img"));
  EXPECT_FALSE(holds(page, "onerror='"));
}

TEST(Report, HasAnEnd) {
  AnalysisRun run;
  run.status.emplace();
  json::Array points;
  for (int i = 0; i < 20'000; ++i) points.push_back(json::Array{1767366000 + i, i % 7});
  for (std::size_t i = 0; i < kMaxReportMetrics + 10; ++i) {
    const std::string name = "m" + std::to_string(i);
    run.spec.metrics.push_back({.name = name});
    api::argo::MetricResult result{.name = name, .phase = "Successful"};
    if (i < 5) result.measurements.push_back({.samples = {json::Object{{"control", points}}}});
    if (i == kMaxReportMetrics + 9) result.phase = "Failed";
    run.status->metric_results.push_back(std::move(result));
  }
  const auto page = page_of(run);
  EXPECT_EQ(unbalanced(page), "");
  EXPECT_EQ(count(page, "<section"), kMaxReportMetrics);
  EXPECT_EQ(count(page, "&quot;control&quot;,"), kMaxReportRows);
  EXPECT_TRUE(holds(page, "10 more metrics are not shown"));
  EXPECT_TRUE(holds(page, ">m209</a>")) << "the one that failed is shown";
  EXPECT_LT(page.size(), std::size_t{4 * 1024 * 1024});
}

TEST(Report, OfNothingIsAPageStill) {
  EXPECT_EQ(unbalanced(report_page({})), "");
  EXPECT_EQ(unbalanced(page_of({})), "");
}

TEST(Html, HasNoMarkupOfOthers) {
  EXPECT_EQ(html_text("<a b='c' d=\"e\">&amp;"),
            "&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;amp;");
  EXPECT_EQ(html_text(std::string_view("a\0b\xFF\r\nc\x1b", 8)), "a\uFFFDb\uFFFD\nc\uFFFD");
  EXPECT_EQ(html_text("größer", 3), "grö… (4 more bytes)");
}

TEST(Axis, HasRoundNumbers) {
  const auto labels = [](const std::vector<Tick>& ticks) {
    std::string text;
    for (const auto& tick : ticks) text += tick.label + " ";
    return text;
  };
  EXPECT_EQ(labels(number_ticks({0, 1}, 5)), "0 0.2 0.4 0.6 0.8 1 ");
  EXPECT_EQ(labels(number_ticks({-3e-9, 5e-9}, 4)), "-2e-09 0 2e-09 4e-09 ");
  EXPECT_EQ(labels(count_ticks({0.8, 3.2}, 12)), "1 2 3 ");
  EXPECT_EQ(labels(time_ticks({1767366000, 1767366600}, 5)),
            "15:00 15:02 15:04 15:06 15:08 15:10 ");
  EXPECT_EQ(labels(time_ticks({1767366000, 1767366004}, 2)), "15:00:00 15:00:02 15:00:04 ");
}

// Half of the time since 1970 is no room around one measurement.
TEST(Axis, OfOneMomentIsAMinuteLong) {
  ExtentBuilder moments;
  moments.add(1'700'000'000);
  const Extent extent = moments.exact(30);
  EXPECT_EQ(extent.from, 1'699'999'970);
  EXPECT_EQ(extent.to, 1'700'000'030);
  moments.add(1'700'000'100);
  EXPECT_EQ(moments.exact(30).to, 1'700'000'100);
}

TEST(Chart, DrawsWhateverNumbersThereAre) {
  constexpr double kLargest = std::numeric_limits<double>::max();
  const double kNan = std::nan("");
  const std::vector<std::vector<ChartPoint>> lines = {
      {},
      {{.x = 1, .y = 1}},
      {{.x = 1, .y = kNan}},
      {{.x = 1, .y = -kLargest}, {.x = 2, .y = kLargest}},
      {{.x = 1, .y = 0}, {.x = 1, .y = 0}},
      {{.x = -1e300, .y = 1e-300}, {.x = 1e300, .y = 2e-300}},
      {{.x = 1, .y = 1}, {.x = 2, .y = kNan}, {.x = 3, .y = 1}},
  };
  for (const auto& points : lines) {
    const auto svg = draw(Chart{.title = "t", .lines = {{.dots = true, .points = points}}});
    EXPECT_FALSE(holds(svg, "nan")) << svg;
    EXPECT_FALSE(holds(svg, "inf")) << svg;
    EXPECT_EQ(unbalanced(svg), "") << svg;
  }
  EXPECT_EQ(draw(Chart{}), "");
  EXPECT_EQ(draw(Interval{.low = kNan, .high = 1}), "");
}

TEST(Chart, KeepsPeaksOfManyPoints) {
  ChartLine line;
  for (int i = 0; i < 100'000; ++i)
    line.points.push_back({.x = i * 1.0, .y = i == 77'777 ? 9.0 : 1.0});
  const auto svg = draw(Chart{.lines = {line}});
  EXPECT_LT(svg.size(), 20'000U);
  EXPECT_TRUE(holds(svg, " 22.8")) << "the peak is near the top";
}

}  // namespace
}  // namespace slipway::analysis::report
