#include "base/json_depth.h"

#include <gtest/gtest.h>

namespace slipway::json {
namespace {

TEST(JsonDepth, CountsObjectsAndArrays) {
  struct Row {
    std::string_view text;
    std::size_t deep;
  };
  const Row rows[] = {{"1", 0},
                      {"null", 0},
                      {"{}", 1},
                      {"[]", 1},
                      {R"({"a":1})", 1},
                      {R"({"a":{}})", 2},
                      {"[[],[[1]],{}]", 3},
                      {R"({"a":[{"b":[]}],"c":1})", 4}};
  for (const Row& row : rows) {
    const Value value = *read(row.text);
    EXPECT_TRUE(nested_within(value, row.deep)) << row.text;
    EXPECT_TRUE(nested_within(value, row.deep + 1)) << row.text;
    if (row.deep > 0) EXPECT_FALSE(nested_within(value, row.deep - 1)) << row.text;
  }
}

TEST(JsonDepth, AgreesWithTheReader) {
  for (const std::size_t deep : {1u, 2u, 99u, 100u}) {
    const std::string text = std::string(deep, '[') + std::string(deep, ']');
    EXPECT_TRUE(read(text, {.max_depth = deep}));
    EXPECT_TRUE(nested_within(*read(text), deep));
    EXPECT_FALSE(read(text, {.max_depth = deep - 1}));
    EXPECT_FALSE(nested_within(*read(text), deep - 1));
  }
}

}  // namespace
}  // namespace slipway::json
