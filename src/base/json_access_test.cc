#include <gtest/gtest.h>

#include "base/json.h"

namespace slipway::json {
namespace {

Value parse(std::string_view text) { return read(text).value(); }

TEST(JsonAccess, FindsWhatIsAtAPath) {
  Value value = parse(R"({"a":{"b":{"c":"text"}},"n":null,"l":[1]})");
  ASSERT_TRUE(at(value, {"a", "b", "c"}));
  EXPECT_EQ(at(value, {"a", "b", "c"})->as_string(), "text");
  EXPECT_EQ(at(std::as_const(value), {}), &value);
  EXPECT_TRUE(at(value, {"n"})->is_null());
  EXPECT_EQ(at(value, {"a", "x"}), nullptr);
  EXPECT_EQ(at(value, {"n", "x"}), nullptr);
  EXPECT_EQ(at(value, {"l", "0"}), nullptr);
}

TEST(JsonAccess, AStringOrNothing) {
  const Value value = parse(R"({"a":{"b":"text","n":1}})");
  EXPECT_EQ(string_at(value, {"a", "b"}), "text");
  EXPECT_EQ(string_at(value, {"a", "n"}), "");
  EXPECT_EQ(string_at(value, {"x", "y"}), "");
}

TEST(JsonAccess, FindsInAnObjectWithoutACopy) {
  const Object object = parse(R"({"a":{"b":"text"},"n":1})").as_object();
  EXPECT_EQ(at(object, {"n"}), object.if_contains("n"));
  EXPECT_EQ(at(object, {"a", "b"}), object.at("a").as_object().if_contains("b"));
  EXPECT_EQ(at(object, {"n", "x"}), nullptr);
  EXPECT_EQ(at(object, {"x", "y"}), nullptr);
  EXPECT_EQ(at(object, {}), nullptr);
  EXPECT_EQ(string_at(object, {"a", "b"}), "text");
  EXPECT_EQ(string_at(object, {"n"}), "");
}

TEST(JsonAccess, ObjectAtMakesWhatIsMissing) {
  Value value = parse(R"({"a":{"b":1}})");
  object_at(value, {"a", "c", "d"})["e"] = 2;
  EXPECT_EQ(write(value), R"({"a":{"b":1,"c":{"d":{"e":2}}}})");
  object_at(value, {"a", "b"})["f"] = 3;
  EXPECT_EQ(write(value), R"({"a":{"b":{"f":3},"c":{"d":{"e":2}}}})");
  Value nothing;
  object_at(nothing, {})["x"] = 1;
  EXPECT_EQ(write(nothing), R"({"x":1})");
}

TEST(JsonAccess, SameIsAboutDataNotForm) {
  struct Case {
    std::string_view a;
    std::string_view b;
    bool same;
  };
  for (const Case& c : {
           Case{R"({"a":1,"b":2})", R"({"b":2,"a":1})", true},
           Case{R"({"a":1})", R"({"a":1,"b":2})", false},
           Case{R"({"a":1,"c":2})", R"({"a":1,"b":2})", false},
           Case{"1", "1.0", true},
           Case{"-1", "-1.0", true},
           Case{"1", "1.5", false},
           Case{"0", "-0.0", true},
           Case{"1", "-1", false},
           Case{"18446744073709551615", "18446744073709551615", true},
           Case{"567169617118973950", "567169617118973952.0", true},
           Case{"-9223372036854775808", "-9223372036854775808.0", true},
           Case{"9007199254740993", "9007199254740992", false},
           Case{"9223372036854775807", "9223372036854775808", false},
           Case{"1", "1e300", false},
           Case{"1", "\"1\"", false},
           Case{"1", "true", false},
           Case{"null", "null", true},
           Case{"null", "false", false},
           Case{"[1,2]", "[1,2]", true},
           Case{"[1,2]", "[2,1]", false},
           Case{"[1]", "[1,2]", false},
           Case{"\"a\"", "\"a\"", true},
       }) {
    EXPECT_EQ(same(parse(c.a), parse(c.b)), c.same) << c.a << " " << c.b;
    EXPECT_EQ(same(parse(c.b), parse(c.a)), c.same) << c.b << " " << c.a;
  }
}

TEST(JsonAccess, ErasingKeepsTheOrderOfTheOthers) {
  Object object;
  std::string expected = "{";
  for (int i = 0; i < 60; ++i) {
    object["k" + std::to_string(i)] = i;
    if (i % 7 != 0) expected += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  }
  expected.back() = '}';
  for (int i = 0; i < 60; i += 7) erase(object, "k" + std::to_string(i));
  erase(object, "never there");
  EXPECT_EQ(write(object), expected);
  for (int i = 0; i < 60; ++i) {
    EXPECT_EQ(object.contains("k" + std::to_string(i)), i % 7 != 0) << i;
  }
}

}  // namespace
}  // namespace slipway::json
