#include "base/text.h"

#include <gtest/gtest.h>

namespace slipway::text {
namespace {

TEST(Text, OnlyAsciiLettersHaveACase) {
  EXPECT_EQ(lower("ReplicaSet-Ä9"), "replicaset-Ä9");
  EXPECT_EQ(upper("Up-to-date ä"), "UP-TO-DATE ä");
}

TEST(Text, TrimTakesBlanksOffBothEnds) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {" a b\t", "a b"}, {"\r\na\n", "a"}, {"", ""}, {" \t ", ""}, {"a", "a"}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(trim(text), expected);
}

TEST(Text, SplitKeepsEmptyParts) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), std::vector<std::string>{""});
  EXPECT_EQ(split("a,", ','), (std::vector<std::string>{"a", ""}));
}

TEST(Text, EitherReadsAsASentence) {
  EXPECT_EQ(either({}), "");
  EXPECT_EQ(either({"json"}), "json");
  EXPECT_EQ(either({"json", "yaml"}), "json or yaml");
  EXPECT_EQ(either({"json", "yaml", "name"}), "json, yaml or name");
}

TEST(Text, EditDistanceCountsASwapAsOne) {
  EXPECT_EQ(edit_distance("setWeigth", "setWeight"), 1u);
  EXPECT_EQ(edit_distance("setweight", "setWeight"), 0u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
}

TEST(Text, LikelyIsTheNearestWordOrNone) {
  EXPECT_EQ(likely("aply", {"get", "apply", "lint"}), "apply");
  EXPECT_EQ(likely("gte", {"get", "delete"}), "get");
  EXPECT_EQ(likely("frob", {"get", "apply", "lint"}), "");
}

}  // namespace
}  // namespace slipway::text
