#include "api/schema/schema.h"

#include <gtest/gtest.h>

#include "api/schema/pattern.h"

namespace slipway::api {
namespace {

TEST(Schema, FindsEveryFieldOfALargeType) {
  SchemaSet set;
  Schema& type = set.add({.name = "T", .shape = Shape::kObject});
  for (int i = 0; i < 40; ++i) {
    type.fields.push_back(
        {.name = "f" + std::to_string((i * 7) % 40), .type = set.scalar(Shape::kString)});
  }
  for (bool sealed : {false, true}) {
    if (sealed) {
      ASSERT_TRUE(set.seal());
    }
    for (int i = 0; i < 40; ++i) {
      const Field* field = type.find("f" + std::to_string(i));
      ASSERT_NE(field, nullptr);
      EXPECT_EQ(field->name, "f" + std::to_string(i));
    }
    EXPECT_EQ(type.find("f40"), nullptr);
    EXPECT_EQ(type.find(""), nullptr);
  }
}

TEST(SchemaSet, SharesPlainScalarsAndFindsNamedTypes) {
  SchemaSet set;
  EXPECT_EQ(set.scalar(Shape::kInt32), set.scalar(Shape::kInt32));
  EXPECT_NE(set.scalar(Shape::kInt32), set.scalar(Shape::kInt64));
  const Schema& named = set.add({.name = "a.B"});
  EXPECT_EQ(set.find("a.B"), &named);
  EXPECT_EQ(set.find("a.C"), nullptr);
}

TEST(SchemaSet, RefusesAPatternThatIsNone) {
  SchemaSet set;
  set.add({.shape = Shape::kString, .pattern = "(a"});
  auto sealed = set.seal();
  ASSERT_FALSE(sealed);
  EXPECT_EQ(sealed.error().code, ErrorCode::kInvalid);
  EXPECT_NE(sealed.error().message.find("(a"), std::string::npos);
}

TEST(Pattern, MatchesAnywhereUnlessAnchored) {
  auto loose = Pattern::compile("b+");
  auto anchored = Pattern::compile("^b+$");
  ASSERT_TRUE(loose && anchored);
  EXPECT_TRUE((*loose)->matches("abc"));
  EXPECT_FALSE((*anchored)->matches("abc"));
  EXPECT_TRUE((*anchored)->matches("bb"));
}

}  // namespace
}  // namespace slipway::api
