#include "metrics/reading.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "metrics/answer_parsers.h"

namespace slipway::metrics {
namespace {

using namespace std::chrono_literals;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
const Time kNow = Time(1700000600s);

Answer series(std::vector<std::vector<double>> values,
              Answer::Shape shape = Answer::Shape::kMatrix) {
  Answer answer{.shape = shape};
  for (const auto& one : values) {
    Series made;
    Time time = Time(1700000000s) + 500ms;
    for (double value : one) {
      made.points.push_back({time, value});
      time += 60s;
    }
    answer.series.push_back(std::move(made));
  }
  return answer;
}

std::string number(std::string_view type, const Answer& answer) {
  auto read = read_number(reading_for(Dialect::kFlagger, type), answer);
  if (!read) return read.error().message;
  return *read ? std::to_string(static_cast<int>(**read)) : "none";
}

TEST(Reading, FlaggerTakesOneNumber) {
  const auto vector = Answer::Shape::kVector;
  const std::tuple<std::string, Answer, std::string> cases[] = {
      {"prometheus", series({{1}, {2}}, vector), "1"},
      {"prometheus", series({}, vector), "none"},
      {"prometheus", series({{kNaN}}, vector), "none"},
      {"prometheus", series({{7}}, Answer::Shape::kScalar), "7"},
      {"prometheus", series({{1, 2}}), "query returned multiple values"},
      {"prometheus", series({}), "none"},
      {"datadog", series({{1, 2}, {3}}), "1"},
      {"datadog", series({{}}), "none"},
      {"influxdb", series({{1, 2}}), "1"},
      {"graphite", series({{1, 2}, {3, 4}, {}}), "4"},
      {"graphite", series({{}, {}}), "none"},
      {"dynatrace", series({{1, 2}, {3, 4}}), "3"},
      {"dynatrace", series({{1}, {}}), "none"},
      {"cloudwatch", series({{1, 2}, {3}}), "2"},
      {"stackdriver", series({{1, 2}}), "2"},
      {"splunk", series({{1, 2}}), "2"},
      {"splunk", series({{1}, {}}), "1"},
      {"splunk", series({{1}, {2}}), "query returned multiple values"},
      {"somebody's", series({{1, 2}}), "2"},
  };
  for (const auto& [type, answer, want] : cases) EXPECT_EQ(number(type, answer), want) << type;
}

TEST(Reading, FlaggerTakesTheLastSeriesOfTheFirstDynatraceMetric) {
  Answer answer = series({{1}, {2}, {3}});
  answer.series[0].labels = {{"metricId", "a"}, {"host", "x"}};
  answer.series[1].labels = {{"metricId", "a"}, {"host", "y"}};
  answer.series[2].labels = {{"metricId", "b"}};
  EXPECT_EQ(number("dynatrace", answer), "2");
}

TEST(Reading, FlaggerRefusesTextsFromInfluxdb) {
  auto answer = parse_influxdb_answer(
      "#datatype,string,long,string\n#group,false,false,false\n#default,,,\n,result,table,_value\n"
      ",,0,abc\n");
  EXPECT_EQ(number("influxdb", *answer), "invalid response: the value \"abc\" is no number");
}

TEST(Reading, AsksAsTheDialectDoes) {
  auto asked = [](Dialect dialect, std::string_view type) {
    Query query = make_query(reading_for(dialect, type), " a\n  b ", kNow, 1min);
    std::string window = query.range ? std::to_string(std::chrono::floor<std::chrono::seconds>(
                                                          query.range->to - query.range->from)
                                                          .count())
                                     : "-";
    if (query.range && query.range->step > Duration::zero()) {
      window += "/" + format_duration(query.range->step);
    }
    return query.text + "|" + window + "|" + format_duration(query.timeout);
  };
  EXPECT_EQ(asked(Dialect::kFlagger, "prometheus"), " a b |-|5s");
  EXPECT_EQ(asked(Dialect::kFlagger, "datadog"), " a\n  b |600|5s");
  EXPECT_EQ(asked(Dialect::kFlagger, "newrelic"), " a\n  b |60|5s");
  EXPECT_EQ(asked(Dialect::kFlagger, "graphite"), " a b |-|5s");
  EXPECT_EQ(asked(Dialect::kFlagger, "influxdb"), " a\n  b |-|15s");
  EXPECT_EQ(asked(Dialect::kPipecd, "prometheus"), " a\n  b |60/1m0s|30s");
  EXPECT_EQ(asked(Dialect::kArgo, "graphite"), "ab|-|10s");
  EXPECT_EQ(asked(Dialect::kArgo, "prometheus"), " a\n  b |-|30s");
  EXPECT_EQ(asked(Dialect::kArgo, "cloudwatch"), " a\n  b |60|30s");
}

TEST(Reading, StepsAreNoLongerThanTheInterval) {
  const Reading& pipecd = reading_for(Dialect::kPipecd, "prometheus");
  EXPECT_EQ(make_query(pipecd, "x", kNow, 10s).range->step, 10s);
  EXPECT_EQ(make_query(pipecd, "x", kNow, 10min).range->step, 60s);
}

TEST(Reading, FlaggerLeavesTheMomentToPrometheus) {
  EXPECT_EQ(make_query(reading_for(Dialect::kFlagger, "prometheus"), "x", kNow, 1min).at, Time());
  EXPECT_EQ(make_query(reading_for(Dialect::kArgo, "prometheus"), "x", kNow, 1min).at, kNow);
}

TEST(Reading, PipecdFlattensPoints) {
  FlatPoints flat = read_points(series({{1, 2}, {3}}));
  ASSERT_EQ(flat.points.size(), 3U);
  EXPECT_EQ(flat.points[1], (Point{Time(1700000060s), 2}));
  EXPECT_FALSE(flat.no_data);
  FlatPoints none = read_points(series({}));
  EXPECT_TRUE(none.points.empty());
  EXPECT_FALSE(none.no_data);
  EXPECT_EQ(*read_points(series({{1}, {}})).no_data, "no data found: a series has no points");
  EXPECT_EQ(*read_points(series({{1, kNaN}})).no_data,
            "no data found: the value at 2023-11-14T22:14:20Z is NaN");
  EXPECT_FALSE(read_points(series({{std::numeric_limits<double>::infinity()}})).no_data);
}

std::string argo(std::string_view type, const Answer& answer) {
  auto read = read_result(reading_for(Dialect::kArgo, type), answer, kNow);
  if (!read) return read.error().message;
  std::string text = json::write(read->result) + " | " + read->value;
  for (const auto& [name, value] : read->metadata) text += " | " + name + "=" + value;
  return text;
}

Answer document(std::string_view text) {
  return {.shape = Answer::Shape::kDocument, .document = *json::read(text)};
}

TEST(Reading, ArgoMakesResultAndValue) {
  const auto vector = Answer::Shape::kVector;
  const auto scalar = Answer::Shape::kScalar;
  const std::tuple<std::string, Answer, std::string> cases[] = {
      {"prometheus", series({{10}}, scalar), "10 | 10"},
      {"prometheus", series({{kNaN}}, scalar), "\"NaN\" | NaN"},
      {"prometheus", series({{10}, {11}}, vector), "[10,11] | [10,11]"},
      {"prometheus", series({{1e21, 0.5}, {11}}),
       "[1e+21,0.5,11] | [1000000000000000000000,0.5,11]"},
      {"prometheus", series({}, vector), "[] | []"},
      {"datadog", series({{1, 0.5}, {7}}), "0.5 | 0.5"},
      {"datadog", series({}), "null | []"},
      {"datadog", series({{}}), "null | []"},
      {"datadog", series({{1}, {2}}, vector), "[1,2] | [1,2]"},
      {"wavefront", series({{12.344, 5}}), "5 | 5.00 | timestamps=1700000060 | drift=-540"},
      {"wavefront", series({{12.344}, {5}}),
       "[12.344,5] | [12.34,5.00] | timestamps=[1700000000,1700000000] | drift=[-600,-600]"},
      {"wavefront", series({}), "No TimeSeries found in response from Wavefront"},
      {"graphite", series({{10, 11.5}, {1}}), "[10,11.5] | [10.000000,11.500000]"},
      {"graphite", series({}), "no values found"},
      {"web", document(R"({"b":1,"a":[true,null,"<x>"]})"),
       R"({"b":1,"a":[true,null,"<x>"]} | {"a":[true,null,"\u003cx\u003e"],"b":1})"},
      {"web", document("\"1\""), "\"1\" | \"1\""},
      {"newrelic", document(R"([{"average":1}])"), R"({"average":1} | {"average":1})"},
      {"newrelic", document(R"([{"a":1},{"a":2}])"), R"([{"a":1},{"a":2}] | [{"a":1},{"a":2}])"},
      {"newrelic", document("[]"), "no results returned from NRQL query"},
      {"newrelic", document("[{}]"), "no results returned from NRQL query"},
      {"cloudwatch", document(R"([{"Id":"a","Values":[1,2]},{"Id":"b","Values":[0.5]}])"),
       R"([{"Id":"a","Values":[1,2]},{"Id":"b","Values":[0.5]}] | [[1 2] [0.5]])"},
      {"influxdb", document(R"([10,2.5,1e+30,"x",true,null])"),
       R"([10,2.5,1e+30,"x",true,null] | [10 2.5 1e+30 x true <nil>])"},
      {"influxdb", document("[]"), "no results returned from flux query"},
      {"skywalking", document(R"({"x":1})"), R"({"x":1} | {"x":1})"},
      {"skywalking", Answer{}, "no results returned from the query"},
  };
  for (const auto& [type, answer, want] : cases) EXPECT_EQ(argo(type, answer), want) << type;
}

TEST(Reading, ArgoSeesFloatsExceptFromInfluxdb) {
  auto web = read_result(reading_for(Dialect::kArgo, "web"), document("[1]"), kNow);
  EXPECT_TRUE(web->result.get_array()[0].is_double());
  auto influx = read_result(reading_for(Dialect::kArgo, "influxdb"), document("[1]"), kNow);
  EXPECT_TRUE(influx->result.get_array()[0].is_int64());
}

TEST(Reading, ArgoKeepsTextsAndWarnings) {
  Answer text{.shape = Answer::Shape::kDocument, .document = json::Value("OK"), .text = "OK"};
  EXPECT_EQ(argo("web", text), "\"OK\" | OK");
  Answer warned = series({{1}}, Answer::Shape::kScalar);
  warned.warnings = {"w1", "w2"};
  EXPECT_EQ(argo("prometheus", warned), "1 | 1 | warnings=\"w1\", \"w2\"");
}

}  // namespace
}  // namespace slipway::metrics
