#include "api/patch/patch.h"

#include <gtest/gtest.h>

#include "api/golden_cases.h"
#include "api/schema/builtin_table.h"

namespace slipway::api {
namespace {

json::Value J(std::string_view text) {
  auto value = json::read(text);
  EXPECT_TRUE(value) << text;
  return value ? *value : json::Value();
}

TEST(JsonPatch, DoesWhatTheApiServersLibraryDoes) {
  for (const json::Value& one : golden_cases("json_patch")) {
    auto result = json_patch(one.at("document"), one.at("patch"));
    if (const json::Value* wanted = one.get_object().if_contains("result")) {
      ASSERT_TRUE(result) << json::write(one) << result.error().message;
      EXPECT_TRUE(json::same(*result, *wanted)) << json::write(one) << "\n" << json::write(*result);
    } else {
      ASSERT_FALSE(result) << json::write(one) << "\n" << json::write(*result);
      EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
      EXPECT_EQ(result.error().message,
                "the server rejected our request due to an error in our request");
    }
  }
}

TEST(JsonPatch, RefusesWhatIsNoListOfOperations) {
  struct Row {
    std::string_view patch, message;
  };
  for (const Row& row : {
           Row{R"({"op":"add"})",
               "error decoding patch: json: cannot unmarshal object into Go value of type "
               "[]handlers.jsonPatchOp"},
           Row{R"([1])",
               "error decoding patch: json: cannot unmarshal number into Go value of type "
               "handlers.jsonPatchOp"},
           Row{R"([{"op":"add","path":3}])",
               "error decoding patch: json: cannot unmarshal number into Go struct field "
               "jsonPatchOp.path of type string"},
       }) {
    auto result = json_patch(json::Object(), J(row.patch));
    ASSERT_FALSE(result) << row.patch;
    EXPECT_EQ(result.error().code, ErrorCode::kBadRequest);
    EXPECT_EQ(result.error().message, row.message);
  }
}

TEST(JsonPatch, RefusesMoreOperationsThanTheLimit) {
  json::Array patch(kMaxPatchOperations + 1, J(R"({"op":"test","path":"/a","value":1})"));
  auto result = json_patch(J(R"({"a":1})"), patch);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kTooLarge);
  EXPECT_EQ(result.error().message,
            "Request entity is too large: The allowed maximum operations in a JSON patch is 10000, "
            "got 10001");
}

TEST(JsonPatch, RefusesToShiftLongListsWithoutEnd) {
  json::Value document =
      json::Object{{"list", json::Array(100'000, json::Value(0))}, {"other", json::Object{}}};
  struct Row {
    std::string_view operations;
    std::size_t times;
    bool allowed;
  };
  for (
      const Row& row : {
          Row{R"({"op":"add","path":"/list/0","value":1})", 400, true},
          Row{R"({"op":"add","path":"/list/0","value":1})", 600, false},
          Row{R"({"op":"add","path":"/list/-","value":1})", 10'000, true},
          Row{R"({"op":"remove","path":"/list/0"})", 600, false},
          Row{R"({"op":"remove","path":"/list/-1"})", 10'000, true},
          Row{R"({"op":"move","from":"/list","path":"/a"},{"op":"move","from":"/a","path":"/list"})",
              500, false},
      }) {
    std::string patch = "[";
    for (std::size_t i = 0; i < row.times; ++i) (patch += i == 0 ? "" : ",") += row.operations;
    auto result = json_patch(document, J(patch + "]"));
    ASSERT_EQ(result.has_value(), row.allowed) << row.operations;
    if (result) continue;
    EXPECT_EQ(result.error().code, ErrorCode::kTooLarge);
    EXPECT_NE(result.error().message.find("move more than 50000000 elements"), std::string::npos)
        << result.error().message;
  }
}

TEST(JsonPatch, TakesManyKeysOutOfALargeObject) {
  json::Object large;
  json::Array patch;
  for (int i = 0; i < 100'000; ++i) large["k" + std::to_string(i)] = "";
  for (std::size_t i = 0; i < kMaxPatchOperations; ++i)
    patch.push_back(json::Object{{"op", "remove"}, {"path", "/data/k" + std::to_string(i)}});
  const auto result = json_patch(json::Object{{"data", std::move(large)}}, patch);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->at("data").as_object().size(), 90'000u);
}

TEST(JsonPatch, RefusesCopiesThatGrowWithoutEnd) {
  json::Object document;
  document["a"] = json::Array{std::string(100'000, 'x')};
  json::Array patch(40, J(R"({"op":"copy","from":"/a","path":"/a/-"})"));
  auto result = json_patch(document, patch);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kInvalid);
}

TEST(MergePatch, DoesWhatTheApiServersLibraryDoes) {
  for (const json::Value& one : golden_cases("merge_patch")) {
    auto result = merge_patch(one.at("document"), one.at("patch"));
    ASSERT_TRUE(result);
    EXPECT_TRUE(json::same(*result, one.at("result"))) << json::write(one) << "\n"
                                                       << json::write(*result);
  }
}

TEST(MergePatch, RefusesAPatchThatIsNoObject) {
  EXPECT_EQ(merge_patch(json::Object(), J("[1]")).error().message,
            "error decoding patch: json: cannot unmarshal array into Go value of type "
            "map[string]interface {}");
  EXPECT_EQ(merge_patch(json::Object(), nullptr).error().message, "Invalid JSON Patch");
}

// Texts that interpretStrategicMergePatchError answers with 400; 422 hides its text; the rest is
// 500.
ErrorCode code_of(std::string_view message) {
  if (message.starts_with("invalid patch format of")) return ErrorCode::kBadRequest;
  if (message == "lists of lists are not supported") return ErrorCode::kInvalid;
  return ErrorCode::kInternal;
}

TEST(StrategicMergePatch, DoesWhatTheApiServersLibraryDoes) {
  SchemaSet schemas;
  ASSERT_TRUE(read_table(builtin_table(), schemas));
  ASSERT_TRUE(schemas.seal());
  for (const json::Value& one : golden_cases("strategic_patch")) {
    const Schema* schema = schemas.find(one.at("schema").as_string());
    ASSERT_NE(schema, nullptr) << json::write(one.at("schema"));
    auto result = strategic_merge_patch(one.at("document"), one.at("patch"), *schema);
    if (const json::Value* wanted = one.get_object().if_contains("result")) {
      ASSERT_TRUE(result) << json::write(one) << result.error().message;
      EXPECT_TRUE(json::same(*result, *wanted)) << json::write(one) << "\n" << json::write(*result);
      continue;
    }
    std::string message(one.at("error").as_string());
    ASSERT_FALSE(result) << json::write(one) << "\n" << json::write(*result);
    EXPECT_EQ(result.error().code, code_of(message)) << json::write(one);
    if (code_of(message) != ErrorCode::kInvalid)
      EXPECT_EQ(result.error().message, message) << json::write(one);
  }
}

TEST(StrategicMergePatch, TreatsAPlainStructThatIsLeftOutAsEmpty) {
  SchemaSet schemas;
  ASSERT_TRUE(read_table(builtin_table(), schemas));
  auto result = strategic_merge_patch(
      J(R"({"spec":{}})"), J(R"({"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}})"),
      *schemas.find("io.k8s.api.apps.v1.Deployment"));
  ASSERT_TRUE(result);
  EXPECT_EQ(json::write(*result), R"({"spec":{"strategy":{"type":"Recreate"}}})");
}

TEST(StrategicMergePatch, RetainsManyKeysOfManyAtOnce) {
  constexpr std::size_t kKeys = 300'000;  // each compared with each would take minutes
  json::Object document;
  json::Array retained;
  for (std::size_t i = 0; i < kKeys; ++i) {
    document["k" + std::to_string(i)] = 1;
    retained.emplace_back("k" + std::to_string(i));
  }
  document["other"] = 1;
  Schema schema{.shape = Shape::kObject};
  auto result = strategic_merge_patch(std::move(document),
                                      json::Object{{"$retainKeys", std::move(retained)}}, schema);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->as_object().size(), kKeys);
  EXPECT_FALSE(result->as_object().contains("other"));
}

TEST(StrategicMergePatch, RefusesAPatchThatIsNoObject) {
  Schema schema{.shape = Shape::kObject};
  auto result = strategic_merge_patch(json::Object(), J("[1]"), schema);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kBadRequest);
  EXPECT_EQ(result.error().message,
            "json: cannot unmarshal array into Go value of type map[string]interface {}");
}

}  // namespace
}  // namespace slipway::api
