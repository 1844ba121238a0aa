#include "analysis/value.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "analysis/phase.h"
#include "metrics/answer_parsers.h"

namespace slipway::analysis {
namespace {

using api::argo::Check;
using api::argo::Metric;
using metrics::Answer;
using metrics::Dialect;

const Time kNow = parse_time("2026-03-01T12:00:00Z").value();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Asking asking(std::string type, Dialect dialect = Dialect::kArgo) {
  Asking made{.dialect = dialect, .reading = metrics::reading_for(dialect, type)};
  made.spec.type = std::move(type);
  return made;
}

Answer numbers(std::vector<double> values, Answer::Shape shape = Answer::Shape::kMatrix) {
  Answer answer{.shape = shape};
  for (const double value : values) answer.series.push_back({.points = {{kNow, value}}});
  return answer;
}
Answer scalar(double value) { return numbers({value}, Answer::Shape::kScalar); }
Answer document(std::string_view text) {
  return {.shape = Answer::Shape::kDocument, .document = *json::read(text)};
}

Metric conditions(std::string success, std::string failure = "") {
  return {.name = "m",
          .success_condition = std::move(success),
          .failure_condition = std::move(failure)};
}
Metric checked(Check check) { return {.name = "m", .check = std::move(check)}; }

// "Phase value: message"
std::string judged(const Metric& metric, const Asking& how, const Result<Answer>& answer) {
  const auto measurement = judge_value(metric, how, answer, kNow, kNow);
  EXPECT_EQ(measurement.started_at, kNow);
  EXPECT_EQ(measurement.finished_at, kNow);
  return measurement.phase + " " + measurement.value +
         (measurement.message.empty() ? "" : ": " + measurement.message);
}

TEST(Value, ConditionsDecideAsInArgo) {
  struct Case {
    std::string success, failure, expected;
  };
  const Case cases[] = {
      {"result > 1", "result < 1", "Successful 5"},
      {"result > 1", "result > 2", "Failed 5"},
      {"result > 9", "result < 1", "Inconclusive 5"},
      {"", "result < 1", "Successful 5"},
      {"", "result > 1", "Failed 5"},
      {"result > 9", "", "Failed 5"},
      {"result > 1", "", "Successful 5"},
      {"", "", "Successful 5"},
      {"what", "", "Error 5: could not evaluate successCondition \"what\": unknown name what"},
      {"result > 1", "1",
       "Error 5: could not evaluate failureCondition \"1\": expected bool, but got int"},
  };
  for (const auto& c : cases)
    EXPECT_EQ(judged(conditions(c.success, c.failure), asking("prometheus"), scalar(5)),
              c.expected);
}

TEST(Value, NaNIsWhatTheConditionsMakeOfIt) {
  const auto prometheus = asking("prometheus");
  EXPECT_EQ(judged(conditions("result >= 0.9", "result < 0.9"), prometheus, scalar(kNaN)),
            "Inconclusive NaN");
  EXPECT_EQ(judged(conditions("result >= 0.9 || isNaN(result)"), prometheus, scalar(kNaN)),
            "Successful NaN");
  EXPECT_EQ(judged(conditions("result >= 0.9"), prometheus, scalar(kNaN)), "Failed NaN");
}

TEST(Value, NothingIsToldAsSuch) {
  const std::string none =
      "could not evaluate successCondition \"result[0] >= 0.95\": metric result is nil or empty: "
      "no data returned from the metric provider";
  EXPECT_EQ(judged(conditions("result[0] >= 0.95"), asking("prometheus"),
                   numbers({}, Answer::Shape::kVector)),
            "Error []: " + none);
  EXPECT_EQ(judged(conditions("len(result) == 0 || result[0] >= 0.95"), asking("prometheus"),
                   numbers({}, Answer::Shape::kVector)),
            "Successful []");
  EXPECT_EQ(judged(conditions("default(result, 0) < 0.05"), asking("datadog"), numbers({})),
            "Successful []");
  EXPECT_EQ(judged(conditions(""), asking("graphite"), numbers({})), "Error : no values found");
}

TEST(Value, DocumentsAreSeenAsTheyAre) {
  const auto web = asking("web");
  EXPECT_EQ(judged(conditions("result.a > 0 && result.b && all(result.c, {# < 5}) && "
                              "result.d == nil"),
                   web, document(R"({"a":1,"b":true,"c":[1,2,3,4],"d":null})")),
            R"(Successful {"a":1,"b":true,"c":[1,2,3,4],"d":null})");
  EXPECT_EQ(judged(conditions("asInt(result) > 0"), web, document("\"1\"")), "Successful \"1\"");
  EXPECT_EQ(judged(conditions("any(result, {# > 6})"), web, document("[1,2,3,4,5,6]")),
            "Failed [1,2,3,4,5,6]");
}

TEST(Value, AWebAnswerIsJudgedAsArgoJudgesIt) {
  struct Case {
    std::string_view body, path;
    std::string success, failure, expected;
  };
  const Case cases[] = {
      {R"({"key":[{"key2":{"value":1.1}}]})", "{$.key[0].key2.value}", "result > 0", "",
       "Successful 1.1"},
      {R"({"key":[{"key2":{"value":"true"}}]})", "{$.key[0].key2.value}", R"(result == "true")",
       R"(result == "true")", "Failed \"true\""},
      {"OK", "", "result == 'fail123'", "", "Failed OK"},
      {"OK", "", "result == 'OK'", "", "Successful OK"},
      {"", "", "true", "", "Successful "},
  };
  for (const Case& c : cases)
    EXPECT_EQ(judged(conditions(c.success, c.failure), asking("web"),
                     metrics::parse_web_answer(c.body, c.path)),
              c.expected)
        << c.body;
}

TEST(Value, IntegersOfASourceThatHasThemStayIntegers) {
  EXPECT_EQ(judged(conditions("result[0] % 2 == 0"), asking("influxdb"), document("[10,20]")),
            "Successful [10 20]");
}

TEST(Value, AnErrorIsAnErrorOrAFailure) {
  const Result<Answer> down = fail(ErrorCode::kUnavailable, "connection refused");
  EXPECT_EQ(judged(conditions("true"), asking("prometheus"), down), "Error : connection refused");
  EXPECT_EQ(judged(checked({.errors_fail = true}), asking("prometheus"), down),
            "Failed : connection refused");
  Metric both = conditions("what");
  both.check = Check{.errors_fail = true};
  EXPECT_TRUE(judged(both, asking("prometheus"), scalar(1)).starts_with("Failed 1: could not"));
}

TEST(Value, ARangeHoldsForEveryPoint) {
  const Metric both = checked({.expected = {{.min = 1, .max = 2}}});
  const auto pipecd = asking("prometheus", Dialect::kPipecd);
  EXPECT_EQ(judged(both, pipecd, numbers({1, 1.5, 2})), "Successful [1,1.5,2]");
  EXPECT_EQ(judged(both, pipecd, numbers({1, 0.5})),
            "Failed [1,0.5]: the value 0.5 is below the expected minimum 1");
  EXPECT_EQ(judged(both, pipecd, numbers({1, 2.5})),
            "Failed [1,2.5]: the value 2.5 is above the expected maximum 2");
  EXPECT_EQ(judged(checked({.expected = {{.max = 2}}}), pipecd, numbers({-9})), "Successful [-9]");
  Metric conditional = conditions("result[0] > 1");
  conditional.check = both.check;
  EXPECT_EQ(judged(conditional, asking("prometheus"), numbers({1}, Answer::Shape::kVector)),
            "Failed [1]");
}

TEST(Value, FlaggerTakesOneNumber) {
  const auto flagger = asking("datadog", Dialect::kFlagger);
  const Metric limit = checked({.expected = {{.max = 5}}, .errors_fail = true});
  EXPECT_EQ(judged(limit, flagger, numbers({5, 9})), "Successful 5");
  EXPECT_EQ(judged(limit, flagger, numbers({6})),
            "Failed 6: the value 6 is above the expected maximum 5");
  EXPECT_EQ(judged(limit, flagger, numbers({})), "Failed : no values found");
  EXPECT_EQ(judged(limit, flagger, numbers({kNaN})), "Failed : no values found");
}

TEST(Value, NoDataIsWhatTheCheckSays) {
  const auto prometheus = asking("prometheus");
  const auto pipecd = asking("prometheus", Dialect::kPipecd);
  const auto none = numbers({}, Answer::Shape::kVector);
  const std::string nil =
      ": metric result is nil or empty: no data returned from the metric "
      "provider";
  EXPECT_EQ(judged(checked({.no_data = "Pass"}), prometheus, none), "Successful []" + nil);
  EXPECT_EQ(judged(checked({.no_data = "Fail"}), prometheus, none), "Failed []" + nil);
  EXPECT_EQ(judged(checked({.no_data = "Error"}), prometheus, none), "Error []" + nil);
  EXPECT_EQ(judged(checked({.expected = {{.max = 1}}}), prometheus, none), "Error []" + nil);
  EXPECT_EQ(judged(checked({.expected = {{.max = 1}}}), prometheus, scalar(kNaN)),
            "Error NaN: no data found: a value is NaN");
  // No series at all is nothing to object to for PipeCD, NaN is no data.
  EXPECT_EQ(judged(checked({.expected = {{.max = 1}}}), pipecd, numbers({})), "Successful []");
  EXPECT_EQ(judged(checked({.expected = {{.max = 1}}, .no_data = "Pass"}), pipecd, numbers({kNaN})),
            "Successful []: no data found: the value at 2026-03-01T12:00:00Z is NaN");
}

TEST(Value, WhatASourceSaysBesidesIsKept) {
  Answer answer = scalar(1);
  answer.warnings = {"slow"};
  const auto measurement = judge_value(conditions(""), asking("prometheus"), answer, kNow, kNow);
  EXPECT_EQ(measurement.metadata.at("warnings"), "\"slow\"");
}

}  // namespace
}  // namespace slipway::analysis
