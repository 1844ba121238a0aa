#include "cli/run_screen.h"

#include <gtest/gtest.h>

#include "base/yaml.h"

namespace slipway::cli {
namespace {

api::argo::AnalysisRun run_from(std::string_view text) {
  return *api::decode<api::argo::AnalysisRun>(yaml::read(text)->front().value);
}

TEST(Board, ShowsWhenTheNextLookIsDue) {
  const auto run = run_from(R"(
spec: {metrics: [{name: errors, interval: 1m, count: 3, successCondition: 'result[0] < 1', provider: {}}]}
status:
  phase: Running
  startedAt: '2026-01-02T15:00:00Z'
  metricResults:
  - {name: errors, phase: Running, count: 1, successful: 1, measurements: [
      {phase: Successful, startedAt: '2026-01-02T15:00:00Z', finishedAt: '2026-01-02T15:00:00Z', value: '[0.5]'}]}
)");
  const Time now = *parse_time("2026-01-02T15:00:45Z");
  EXPECT_EQ(board_of({{"default/web", run}}, {.now = now}),
            "METRIC   LAST   TREND   LOOKS   P OR CONDITION   VERDICT\n"
            "errors   0.5    ▄       1/3     result[0] < 1    Running\n"
            "next look in 15s\n");
  EXPECT_TRUE(board_of({{"default/web", run}, {"default/api", run}}, {.now = now})
                  .starts_with("default/api  Running, next look in 15s\nMETRIC "));
  EXPECT_FALSE(board_of({{"default/web", run}}, {}).contains("next look")) << "of a record";
}

TEST(Screen, ClipsLinesWithoutTheirColours) {
  EXPECT_EQ(clipped("abc", 5), "abc");
  EXPECT_EQ(clipped("abcdef", 3), "abc");
  EXPECT_EQ(clipped("▁▂▃▄", 2), "▁▂");
  EXPECT_EQ(clipped("ab\x1b[1;31mcdef\x1b[0m", 4), "ab\x1b[1;31mcd\x1b[0m");
  EXPECT_EQ(clipped("\x1b[1;31mcd\x1b[0m", 4), "\x1b[1;31mcd\x1b[0m");
  EXPECT_EQ(clipped("a\x1b[1", 4), "a\x1b[1\x1b[0m");
}

TEST(Screen, IsDrawnInItsPlaceAgain) {
  std::FILE* file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  LiveScreen screen(file);
  screen.show("one\ntwo\n");
  screen.show("one\ntwo\n");  // nothing new
  screen.show("three\n");
  screen.clear();
  std::rewind(file);
  char text[200] = {};
  const std::size_t length = std::fread(text, 1, sizeof(text), file);
  std::fclose(file);
  EXPECT_EQ(std::string_view(text, length),
            "one\x1b[K\ntwo\x1b[K\n\x1b[J\x1b[2Athree\x1b[K\n\x1b[J\x1b[1A\x1b[J");
}

}  // namespace
}  // namespace slipway::cli
