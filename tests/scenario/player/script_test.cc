#include "scenario/player/script.h"

#include <gtest/gtest.h>

namespace slipway::scenario {
namespace {

using namespace std::chrono_literals;

TEST(Script, LinesKeepTheTimeOfTheOneAbove) {
  auto script =
      parse_script("s",
                   "# why\napply a.yaml\nat 90s expect rollout/web \"message=two words\"\n"
                   "\n  promote web  # on\n");
  ASSERT_TRUE(script) << script.error().text();
  ASSERT_EQ(script->lines.size(), 3u);
  EXPECT_EQ(script->lines[1].at, 90s);
  EXPECT_EQ(script->lines[1].words[1], "message=two words");
  EXPECT_EQ(script->lines[2].at, 90s);
  EXPECT_EQ(script->lines[2].verb, "promote");
  EXPECT_EQ(script->lines[2].number, 5);
  EXPECT_EQ(script->lines[2].words.size(), 1u);
}

TEST(Script, RefusesWhatCannotBePlayed) {
  const std::pair<const char*, const char*> cases[] = {
      {"at 5m apply a\nat 4m apply b", "s:2: 4m is before the line above"},
      {"at 5m", "s:1: write `at 10m VERB …`"},
      {"expect \"a", "s:1: a quote stays open"},
      {"at 5 apply a", "s:1: "}};
  for (const auto& [text, message] : cases) {
    auto script = parse_script("s", text);
    ASSERT_FALSE(script) << text;
    EXPECT_TRUE(script.error().text().starts_with(message)) << script.error().text();
  }
}

}  // namespace
}  // namespace slipway::scenario
