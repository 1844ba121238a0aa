#include "lang/args/args.h"

#include <gtest/gtest.h>

namespace slipway::lang {
namespace {

const Tags kTags = {{"args.port", "80"},
                    {"args.quote", "say \"hi\"\n"},
                    {"args.tag", "{{args.port}}"},
                    {"args.none", std::nullopt},
                    {"templates.canary.podTemplateHash", "abc"}};

std::string put(std::string_view text) {
  auto out = substitute(text, kTags);
  return out ? *out : out.error().message;
}

TEST(Args, PutsValuesInPlaceOfTags) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"", ""},
      {"plain } text {", "plain } text {"},
      {"a{{args.port}}b{{ args.port\t}}c", "a80b80c"},
      {"{{templates.canary.podTemplateHash}}", "abc"},
      {"{{args.tag}}", "{{args.port}}"},
      {"{{args.quote}}", "say \"hi\"\n"},
      {"x }} {{args.port}}", "x }} 80"},
  };
  for (const auto& [text, expected] : rows) EXPECT_EQ(put(text), expected) << text;
}

TEST(Args, SaysWhatCannotBeResolvedInArgosWords) {
  EXPECT_EQ(put("{{args.nope}}"), "failed to resolve {{args.nope}}");
  EXPECT_EQ(put("{{ a }} {{ b }}"), "failed to resolve {{ b }}");
  EXPECT_EQ(put("{{}}"), "failed to resolve {{}}");
  EXPECT_EQ(put("{{x}} {{args.none}}"), "argument \"none\" was not supplied");
  EXPECT_EQ(
      put("a {{args.port}} {{args.po"),
      "Cannot find end tag=\"}}\" in the template=\"a {{args.port}} {{args.po\" starting from "
      "\"args.po\"");
}

TEST(Args, ReachEveryTextOfAValue) {
  const json::Value value =
      json::read(R"({"a":["{{args.quote}}",1,null],"x{{args.port}}":{"b":"p={{args.port}}"}})")
          .value();
  auto out = substitute_all(value, kTags);
  ASSERT_TRUE(out.has_value());
  EXPECT_EQ(json::write(*out), R"({"a":["say \"hi\"\n",1,null],"x80":{"b":"p=80"}})");
}

TEST(Args, NameTheFieldThatCannotBeResolved) {
  auto out = substitute_all(json::read(R"({"a":[0,{"b":"{{nope}}"}]})").value(), kTags);
  ASSERT_FALSE(out.has_value());
  EXPECT_EQ(out.error().text(), "a[1].b: failed to resolve {{nope}}");
}

TEST(Args, AreReadFromData) {
  auto tags = read_tags(json::read(R"({"args":{"a":"1","b":2,"c":null},"other":{"x":[]},
      "templates":{"t":{"replicaset":{"name":"r"}}},"experiment":{"availableAt":"now"}})")
                            ->as_object());
  ASSERT_TRUE(tags.has_value());
  EXPECT_EQ(*tags, (Tags{{"args.a", "1"},
                         {"args.b", "2"},
                         {"args.c", std::nullopt},
                         {"templates.t.replicaset.name", "r"},
                         {"experiment.availableAt", "now"}}));
  EXPECT_FALSE(read_tags(json::read(R"({"args":{"a":[1]}})")->as_object()).has_value());
}

TEST(Args, StopAtTheirLimit) {
  const Tags tags = {{"a", std::string(100'000, 'x')}};
  std::string text;
  for (int i = 0; i < 40; ++i) text += "{{a}}";
  auto out = substitute(text, tags);
  ASSERT_FALSE(out.has_value());
  EXPECT_EQ(out.error().code, ErrorCode::kTooLarge);
}

}  // namespace
}  // namespace slipway::lang
