#include <gtest/gtest.h>

#include "api/rules/validate.h"
#include "api/schema/crd_fixture.h"

namespace slipway::api {
namespace {

using testing::Crontabs;
using testing::object_of;

// What the API server says of an object whose spec is `spec`, each finding on a line.
std::string findings_of(const Crontabs& crontabs, std::string_view spec) {
  Findings findings;
  check(object_of("{\"spec\":" + std::string(spec) + "}"), crontabs.schema(), findings);
  std::string out;
  for (const Cause& cause : findings.causes) {
    out += (out.empty() ? "" : "\n") + cause.field + ": " + cause.message;
  }
  return out;
}

struct Case {
  std::string_view schema, spec, findings;
};
void PrintTo(const Case& test, std::ostream* out) { *out << test.schema << " with " << test.spec; }

class Check : public ::testing::TestWithParam<Case> {};

TEST_P(Check, WordsFindingsAsKubernetesDoes) {
  auto [schema, spec, findings] = GetParam();
  EXPECT_EQ(findings_of(Crontabs(schema), spec), findings);
}

INSTANTIATE_TEST_SUITE_P(
    Types, Check,
    ::testing::Values(
        Case{R"({"type":"string"})", "1",
             R"(spec: Invalid value: "integer": spec in body must be of type string: "integer")"},
        Case{R"({"type":"integer"})", "1.5",
             R"(spec: Invalid value: "number": spec in body must be of type integer: "number")"},
        Case{R"({"type":"integer"})", "2.0", ""}, Case{R"({"type":"number"})", "3", ""},
        Case{R"({"type":"boolean"})", "\"true\"",
             R"(spec: Invalid value: "string": spec in body must be of type boolean: "string")"},
        Case{R"({"type":"array","items":{"type":"string"}})", R"(["a",2])",
             R"(spec[1]: Invalid value: "integer": spec[1] in body must be of type string: "int)"
             R"(eger")"},
        Case{
            R"({"type":"object","additionalProperties":{"type":"integer"}})", R"({"a":"x"})",
            R"(spec.a: Invalid value: "string": spec.a in body must be of type integer: "string")"},
        Case{R"({"x-kubernetes-int-or-string":true})", "true",
             R"(spec: Invalid value: "boolean": spec in body must be of type integer,string: "b)"
             R"(oolean")"},
        Case{R"({"type":"string"})", "null",
             R"(spec: Invalid value: "null": spec in body must be of type string: "null")"},
        Case{R"({"type":"string","nullable":true})", "null", ""},
        Case{R"({"x-kubernetes-preserve-unknown-fields":true})", R"({"any":[1]})", ""}));

INSTANTIATE_TEST_SUITE_P(
    Limits, Check,
    ::testing::Values(
        Case{R"({"type":"integer","minimum":1,"maximum":3})", "4",
             "spec: Invalid value: 4: spec in body should be less than or equal to 3"},
        Case{R"({"type":"integer","minimum":1})", "0",
             "spec: Invalid value: 0: spec in body should be greater than or equal to 1"},
        Case{R"({"type":"number","maximum":1,"exclusiveMaximum":true})", "1",
             "spec: Invalid value: 1: spec in body should be less than 1"},
        Case{R"({"type":"integer","multipleOf":5})", "7",
             "spec: Invalid value: 7: spec in body should be a multiple of 5"},
        Case{R"({"type":"string","pattern":"^a+$"})", R"("ab")",
             R"(spec: Invalid value: "ab": spec in body should match '^a+$')"},
        Case{R"({"type":"string","minLength":2})", R"("ä")",
             R"(spec: Invalid value: "ä": spec in body should be at least 2 chars long)"},
        Case{R"({"type":"string","maxLength":1})", R"("ab")",
             "spec: Too long: may not be more than 1 byte"},
        Case{R"({"type":"string","enum":["a","b"]})", R"("c")",
             R"(spec: Unsupported value: "c": supported values: "a", "b")"},
        Case{R"({"type":"string","format":"date-time"})", R"("today")",
             R"(spec: Invalid value: "today": spec in body must be of type date-time: "today")"},
        Case{R"({"type":"string","format":"ipv4"})", R"("10.0.0.1")", ""},
        Case{R"({"type":"array","items":{"type":"string"},"minItems":1})", "[]",
             "spec: Invalid value: 0: spec in body should have at least 1 items"},
        Case{R"({"type":"array","items":{"type":"string"},"maxItems":1})", R"(["a","b"])",
             "spec: Too many: 2: must have at most 1 item"},
        Case{R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a","b"]})", "{}",
             "spec.a: Required value\nspec.b: Required value"},
        Case{R"({"type":"object","minProperties":1,"x-kubernetes-preserve-unknown-fields":true})",
             "{}", "spec: Invalid value: 0: spec in body should have at least 1 properties"}));

INSTANTIATE_TEST_SUITE_P(
    Lists, Check,
    ::testing::Values(
        Case{R"({"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}})",
             R"(["a","b","a","a"])", R"(spec[2]: Duplicate value: "a")"},
        Case{R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n"],
               "items":{"type":"object","required":["n"],"properties":{"n":{"type":"string"},
    "v":{"type":"integer"}}}})",
             R"([{"n":"a","v":1},{"n":"a","v":2}])", R"(spec[1]: Duplicate value: {"n":"a"})"}));

INSTANTIATE_TEST_SUITE_P(
    Junctors, Check,
    ::testing::Values(
        Case{
            R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},
               "oneOf":[{"required":["a"]},{"required":["b"]}]})",
            R"({"a":"1","b":"2"})",
            R"(<nil>: Invalid value: "": "spec" must validate one and only one schema (oneOf).)"
            R"( Found 2 valid alternatives)"},
        Case{R"({"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a")"
             R"(]}]})",
             "{}",
             "<nil>: Invalid value: \"\": \"spec\" must validate at least one schema "
             "(anyOf)\nspec.a: Required value"},
        Case{R"({"type":"integer","not":{"minimum":5}})", "7",
             R"(<nil>: Invalid value: "": "spec" must not validate the schema (not))"},
        Case{R"({"type":"integer","allOf":[{"minimum":5},{"maximum":9}]})", "7", ""}));

// What was looked at twice on each level was looked at 2^35 times here.
TEST(Junctors, InsideEachOtherAreLookedAtOnce) {
  for (const std::string word : {"oneOf", "anyOf"}) {
    std::string schema = R"({"required":["a"]})";
    for (int i = 0; i < 35; ++i) schema = "{\"" + word + "\":[" + schema + "]}";
    schema.insert(1, R"("type":"object","properties":{"a":{"type":"string"}},)");
    EXPECT_TRUE(findings_of(Crontabs(schema), "{}").ends_with("spec.a: Required value")) << word;
  }
}

// A billion steps and more, each of which takes RE2 long where it has no room for an automaton.
TEST(Patterns, AreNotMatchedWithTextsTooLongForThem) {
  const std::string pattern = R"("pattern":"^(abcdefghij){1,500}$")";  // 5,000 instructions
  const std::string text = "\"" + std::string(400'000, 'x') + "\"";
  const std::string plain = findings_of(Crontabs(R"({"type":"string",)" + pattern + "}"), text);
  EXPECT_TRUE(plain.starts_with("spec: Too long: 400000 bytes; at most ")) << plain.substr(0, 99);
  // Nor does it count as a text that does not match.
  const std::string negated =
      findings_of(Crontabs(R"({"type":"string","not":{)" + pattern + "}}"), text);
  EXPECT_TRUE(negated.starts_with("spec: Too long: ")) << negated.substr(0, 99);

  json::Array list(200, json::Value(std::string(2'000, 'x')));
  const std::string last = findings_of(
      Crontabs(R"({"type":"array","items":{"type":"string",)" + pattern + "}}"), json::write(list));
  EXPECT_NE(last.find("spec[0]: Invalid value: "), std::string::npos);
  EXPECT_NE(last.find("spec[199]: Too long: 2000 bytes; at most "), std::string::npos);
}

// One body can be wrong in so many ways that to tell them all would take all memory.
TEST(Findings, AreCutShort) {
  Findings small, large;
  for (int i = 0; i < 100'000; ++i) small.required("a");
  EXPECT_EQ(small.causes.size(), Findings::kMaxCauses);
  EXPECT_TRUE(small.error({"", "v1", "Pod"}, "p").message.ends_with(", and more]"));
  const json::Value list = json::Array(10'000, json::Value("some text"));
  for (int i = 0; i < 100'000; ++i) large.invalid("a", list, "wrong");
  EXPECT_LT(large.bytes, 2 * Findings::kMaxBytes);
}

TEST(Findings, JoinsSeveralCausesAndNamesTheKind) {
  Findings findings;
  findings.required("spec.a");
  findings.required("spec.a");
  findings.invalid("spec.b", json::Value(-1), "must be greater than or equal to 0");
  Error error = findings.error({"argoproj.io", "v1alpha1", "Rollout"}, "web");
  EXPECT_EQ(error.code, ErrorCode::kInvalid);
  EXPECT_EQ(error.message,
            "Rollout.argoproj.io \"web\" is invalid: [spec.a: Required value, spec.b: Invalid "
            "value: -1: must be greater "
            "than or equal to 0]");
  EXPECT_EQ(error.causes.size(), 3u);
}

}  // namespace
}  // namespace slipway::api
