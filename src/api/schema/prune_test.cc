#include <gtest/gtest.h>

#include "api/rules/validate.h"
#include "api/schema/crd_fixture.h"
#include "api/schema/defaults.h"

namespace slipway::api {
namespace {

using testing::Crontabs;
using testing::object_of;

constexpr std::string_view kSpec = R"({"type":"object","properties":{
  "list":{"type":"array","items":{"type":"object","properties":{"a":{"type":"string",
    "default":"x"}}}},
  "map":{"type":"object","additionalProperties":{"type":"object",
    "properties":{"a":{"type":"string"}}}},
  "open":{"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{
    "closed":{"type":"object","properties":{"a":{"type":"integer","default":7}}}}},
  "any":{"x-kubernetes-preserve-unknown-fields":true},
  "template":{"type":"object","x-kubernetes-embedded-resource":true,
    "x-kubernetes-preserve-unknown-fields":true},
  "size":{"type":"integer","default":3},"off":{"type":"boolean"},
  "deep":{"type":"object","default":{},"properties":{"mode":{"type":"string",
    "default":"auto"}}}}})";

TEST(Prune, RemovesUnknownFieldsAndNamesTheirPaths) {
  Crontabs crontabs(kSpec);
  json::Object object =
      object_of(R"({"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"a","nom":1},
    "other":1,"spec":{"list":[{"a":"1"},{"b":2,"c":{"d":1}}],"map":{"k":{"a":"1","b":2}},
    "open":{"free":{"x":1},"closed":{"b":1}},"any":{"x":[{"y":1}]},"template":{"kind":"Pod",
    "spec":{}}}})");
  std::vector<std::string> expected = {"metadata.nom",   "other",        "spec.list[1].b",
                                       "spec.list[1].c", "spec.map.k.b", "spec.open.closed.b"};
  EXPECT_EQ(unknown_fields(object, crontabs.schema()), expected);
  std::vector<std::string> removed;
  prune(object, crontabs.schema(), removed);
  EXPECT_EQ(removed, expected);
  EXPECT_EQ(json::write(object),
            R"({"apiVersion":"example.com/v1","kind":"CronTab","metadata":{"name":"a"},)"
            R"("spec":{"list":[{"a":"1"},{}],)"
            R"("map":{"k":{"a":"1"}},"open":{"free":{"x":1},"closed":{}},"any":{"x":[{"y":1}]},)"
            R"("template":{"kind":"Pod","spec":{}}}})");
  EXPECT_TRUE(unknown_fields(object, crontabs.schema()).empty());
}

TEST(Defaults, FillInWhatIsMissingOrNull) {
  Crontabs crontabs(kSpec);
  json::Object object = object_of(
      R"({"spec":{"list":[{},{"a":"y"},{"a":null}],"open":{"closed":{}},"size":null,"off":null}})");
  set_defaults(object, crontabs.schema());
  EXPECT_EQ(json::write(object, {.sort_keys = true}),
            R"({"spec":{"deep":{"mode":"auto"},"list":[{"a":"x"},{"a":"y"},{"a":"x"}],)"
            R"("open":{"closed":{"a":7}},)"
            R"("size":3}})");
  json::Object again = object;
  set_defaults(again, crontabs.schema());
  EXPECT_EQ(again, object);
}

// Of ten thousand bytes each, which a million items would make gigabytes of.
TEST(Defaults, StopWhereListsMultiplyThem) {
  Crontabs crontabs(
      R"({"type":"object","properties":{"list":{"type":"array","items":{"type":"object",
    "properties":{"a":{"type":"string","default":")" +
      std::string(10'000, 'x') + R"("}}}}}})");
  json::Object object;
  const auto ask = [&](std::size_t items) {
    object["spec"] = json::Object{{"list", json::Array(items, json::Value(json::Object()))}};
  };
  ask(200);
  EXPECT_TRUE(fill_in_defaults(object, crontabs.schema()));
  ask(1'000);
  const Result<> filled = fill_in_defaults(object, crontabs.schema());
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().code, ErrorCode::kTooLarge);
  EXPECT_LT(json::write(object).size(), 2 * kMaxDefaultBytes);
  ask(1'000);
  set_defaults(object, crontabs.schema());
  EXPECT_LT(json::write(object).size(), 2 * kMaxDefaultBytes);
}

}  // namespace
}  // namespace slipway::api
