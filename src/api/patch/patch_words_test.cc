#include "api/patch/patch_words.h"

#include <gtest/gtest.h>

#include "api/registry.h"

namespace slipway::api {
namespace {

json::Value value_of(std::string_view text) { return *json::read(text); }

TEST(PatchWords, SortTheObjectsAPatchWentIntoAndKeepGosOrderElsewhere) {
  auto registry = Registry::make();
  const Schema* schema = registry->find(Gvk{"", "v1", "ConfigMap"})->schema;
  const json::Value object = value_of(
      R"({"metadata":{"labels":{"b":"1","a":"2"},"uid":"u","name":"n"},"kind":"ConfigMap","data":1})");
  struct Case {
    const char* touched;
    const char* quoted;
  };
  for (
      const auto& [touched, quoted] : {
          Case{
              R"({"data":1})",
              R"({"data":1,"kind":"ConfigMap","metadata":{"name":"n","uid":"u","labels":{"a":"2","b":"1"}}})"},
          Case{
              R"({"metadata":{}})",
              R"({"data":1,"kind":"ConfigMap","metadata":{"labels":{"a":"2","b":"1"},"name":"n","uid":"u"}})"},
      }) {
    const json::Value tree = value_of(touched);
    EXPECT_EQ(quote_patched(object.as_object(), {.touched = &tree, .schema = schema}), quoted);
  }
}

TEST(PatchWords, SortAllOfACustomObject) {
  EXPECT_EQ(quote_patched(value_of(R"({"spec":{"b":1,"a":2},"kind":"X"})").as_object(), {}),
            R"({"kind":"X","spec":{"a":2,"b":1}})");
}

TEST(PatchWords, QuoteAStrategicPatchItself) {
  const json::Value patch = value_of(R"({"data":{"a":1}})");
  EXPECT_EQ(quote_patched({}, {.strategic = &patch}), "map[data:map[a:1]]");
}

TEST(PatchWords, KnowWhatOperationsTouch) {
  struct Case {
    const char* operations;
    const char* touched;
  };
  for (const auto& [operations, touched] : {
           Case{"null", "{}"},
           Case{R"([{"op":"add","path":"/data","value":1}])", "{}"},
           Case{R"([{"op":"add","path":"/a/b~1c/0/d","value":1}])", R"({"a":{"b/c":{"0":{}}}})"},
           Case{R"([{"op":"move","from":"/a/b","path":"/c/d"}])", R"({"c":{},"a":{}})"},
       }) {
    EXPECT_EQ(json::write(touched_by(value_of(operations))), touched) << operations;
  }
}

}  // namespace
}  // namespace slipway::api
