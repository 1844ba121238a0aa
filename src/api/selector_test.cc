#include "api/selector.h"

#include <gtest/gtest.h>

#include "api/golden_cases.h"

namespace slipway::api {
namespace {

const std::vector<Labels> kSets = {{},
                                   {{"app", "web"}},
                                   {{"app", "a"}, {"x", "6"}},
                                   {{"x", "5"}},
                                   {{"a", "b"}, {"x", "four"}},
                                   {{"a", ""}},
                                   {{"app", ""}, {"in", "x"}},
                                   {{"a", "b"}, {"c", "1"}}};

TEST(LabelSelector, ReadsAndMatchesAsKubernetesDoes) {
  for (const json::Value& one : golden_cases("selectors")) {
    const json::Value* text = one.get_object().if_contains("labels");
    if (text == nullptr) continue;
    auto selector = parse_label_selector(text->as_string());
    if (const json::Value* error = one.get_object().if_contains("error")) {
      ASSERT_FALSE(selector) << json::write(one);
      EXPECT_EQ(selector.error().message, std::string_view(error->as_string()));
      EXPECT_EQ(selector.error().code, ErrorCode::kBadRequest);
      continue;
    }
    ASSERT_TRUE(selector) << json::write(one) << selector.error().message;
    json::Array matches;
    for (const Labels& labels : kSets) matches.emplace_back(selector->matches(labels));
    EXPECT_EQ(json::Value(matches), one.at("matches")) << json::write(one);
    auto again = parse_label_selector(to_string(*selector));
    ASSERT_TRUE(again) << to_string(*selector);
    EXPECT_EQ(to_string(*again), to_string(*selector));
  }
}

TEST(FieldSelector, ReadsAsKubernetesDoes) {
  for (const json::Value& one : golden_cases("selectors")) {
    const json::Value* text = one.get_object().if_contains("fields");
    if (text == nullptr) continue;
    auto selector = parse_field_selector(text->as_string());
    if (const json::Value* error = one.get_object().if_contains("error")) {
      ASSERT_FALSE(selector) << json::write(one);
      EXPECT_EQ(selector.error().message, std::string_view(error->as_string()));
      continue;
    }
    ASSERT_TRUE(selector) << json::write(one);
    json::Array terms;
    for (const FieldRequirement& term : selector->requirements)
      terms.push_back(json::Array{term.path, term.equal ? "=" : "!=", term.value});
    EXPECT_EQ(json::Value(terms), one.at("terms")) << json::write(one);
  }
}

TEST(LabelSelector, ReadsTheJsonForm) {
  auto everything = read_label_selector(json::Object());
  ASSERT_TRUE(everything);
  EXPECT_TRUE(everything->matches({}));
  EXPECT_TRUE(everything->empty());
  auto nothing = read_label_selector(nullptr);
  ASSERT_TRUE(nothing);
  EXPECT_FALSE(nothing->matches({}));
  EXPECT_FALSE(nothing->empty());

  auto selector = read_label_selector(
      *json::read(R"({"matchLabels":{"tier":"a","app":"web"},"matchExpressions":[)"
                  R"({"key":"env","operator":"NotIn","values":["b","a"]},)"
                  R"({"key":"x","operator":"Exists"},{"key":"old","operator":"DoesNotExist"}]})"));
  ASSERT_TRUE(selector);
  EXPECT_EQ(to_string(*selector), "app=web,env notin (a,b),!old,tier=a,x");
  EXPECT_TRUE(selector->matches({{"app", "web"}, {"tier", "a"}, {"x", ""}}));
  EXPECT_FALSE(selector->matches({{"app", "web"}, {"env", "a"}, {"tier", "a"}, {"x", ""}}));
}

TEST(LabelSelector, FindsAValueAmongManyAtOnce) {
  constexpr int kValues = 200'000;  // each looked at for each would take minutes
  json::Array values;
  for (int i = 0; i < kValues; ++i) values.emplace_back("v" + std::to_string(kValues - i));
  json::Object among{{"key", "app"}, {"operator", "In"}, {"values", std::move(values)}};
  auto selector =
      read_label_selector(json::Object{{"matchExpressions", json::Array{std::move(among)}}});
  ASSERT_TRUE(selector) << selector.error().text();
  int found = 0;
  for (int i = 0; i < kValues; ++i)
    found += selector->matches(Labels{{"app", "v" + std::to_string(2 * i)}}) ? 1 : 0;
  EXPECT_EQ(found, kValues / 2);
}

TEST(LabelSelector, RefusesBadJson) {
  struct Row {
    std::string_view selector, message;
  };
  for (
      const Row& row : {
          Row{R"({"matchExpressions":[{"key":"a","operator":"Near"}]})",
              R"("Near" is not a valid label selector operator)"},
          Row{R"({"matchExpressions":[{"key":"a","operator":"In"}]})",
              R"(values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty)"},
          Row{R"({"matchExpressions":[{"key":"a","operator":"Exists","values":["x"]}]})",
              R"(values: Invalid value: ["x"]: values set must be empty for exists and does not exist)"},
      }) {
    auto selector = read_label_selector(*json::read(row.selector));
    ASSERT_FALSE(selector) << row.selector;
    EXPECT_EQ(selector.error().message, row.message);
  }
}

TEST(FieldSelector, KnowsWhatAMissingFieldCountsAs) {
  const auto is = [](std::string_view text, std::string_view object) {
    return matches(*parse_field_selector(text), json::read(object)->as_object());
  };
  EXPECT_TRUE(is("spec.hostNetwork=false", R"({"spec":{}})"));
  EXPECT_FALSE(is("spec.hostNetwork!=false", R"({"spec":{}})"));
  EXPECT_FALSE(is("spec.hostNetwork=false", R"({"spec":{"hostNetwork":true}})"));
  EXPECT_TRUE(is("status.successful=0", R"({"status":{}})"));
  EXPECT_TRUE(is("status.successful=3", R"({"status":{"succeeded":3}})"));
  EXPECT_FALSE(is("status.successful=0", R"({"status":{"succeeded":3}})"));
  EXPECT_TRUE(is("source=kubelet", R"({"source":{"component":"kubelet"}})"));
  EXPECT_TRUE(is("source=kubelet", R"({"reportingComponent":"kubelet"})"));
}

TEST(FieldSelector, ComparesScalarsAsText) {
  const json::Object object =
      json::read(
          R"({"metadata":{"name":"web"},"spec":{"replicas":3,"paused":true,"half":0.5,"list":[1]}})")
          ->as_object();
  struct Row {
    std::string_view selector;
    bool matches;
  };
  for (const Row& row : {Row{"metadata.name=web", true}, Row{"metadata.name!=web", false},
                         Row{"spec.replicas=3,spec.paused=true,spec.half==0.5", true},
                         Row{"spec.replicas=4", false}, Row{"spec.missing=", true},
                         Row{"spec.missing!=x", true}, Row{"spec.list=", true}, Row{"", true}}) {
    auto selector = parse_field_selector(row.selector);
    ASSERT_TRUE(selector);
    EXPECT_EQ(matches(*selector, object), row.matches) << row.selector;
  }
}

}  // namespace
}  // namespace slipway::api
