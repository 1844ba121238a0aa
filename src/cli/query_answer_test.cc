#include "cli/query_answer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slipway::cli {
namespace {

using metrics::Answer;
using metrics::Point;
using metrics::Series;

Time at(int seconds) { return Time(std::chrono::seconds(seconds)); }

TEST(QueryAnswer, IsWrittenAsContracted) {
  const Answer answer{
      .series = {{.labels = {{"job", "web"}}, .points = {{at(60), 0.5}, {at(120), std::nan("")}}},
                 {.points = {{Time(std::chrono::milliseconds(1500)), 3}}}}};
  EXPECT_EQ(json::write(to_json(answer)),
            R"({"series":[{"labels":{"job":"web"},"points":[[60,0.5],[120,"NaN"]]},)"
            R"({"labels":{},"points":[[1.5,3]]}],"value":0.5})");
}

TEST(QueryAnswer, WithoutNumbersHasNoValue) {
  const Answer empties[] = {
      {},
      {.series = {{.labels = {{"job", "web"}}}}},
      {.series = {{.points = {{at(1), std::nan("")}}}}},
      {.shape = Answer::Shape::kDocument, .document = json::Value(nullptr)},
      {.shape = Answer::Shape::kDocument, .document = json::Value(json::Array{})},
  };
  for (const auto& answer : empties) {
    EXPECT_TRUE(is_empty(answer));
    EXPECT_TRUE(to_json(answer).at("value").is_null());
  }
  const Answer text{.shape = Answer::Shape::kDocument, .document = json::Value("ok")};
  EXPECT_FALSE(is_empty(text));
  EXPECT_EQ(table_of(text), "ok\n");
}

TEST(QueryAnswer, IsATableForPeople) {
  const Answer instant{
      .shape = Answer::Shape::kVector,
      .series = {{.labels = {{"__name__", "up"}, {"job", "we\x1b[31mb"}}, .points = {{at(0), 1}}}}};
  EXPECT_EQ(table_of(instant),
            "SERIES               VALUE   AT\n"
            "up{job=\"we [31mb\"}   1       1970-01-01T00:00:00Z\n");
  const Answer range{.series = {{.points = {{at(0), 1}, {at(60), 3}}}, {.labels = {}}}};
  EXPECT_EQ(table_of(range),
            "SERIES   POINTS    LEAST   GREATEST   LAST   TREND\n"
            "{}       2         1       3          3      ▁█\n"
            "{}       no data\n");
}

TEST(QueryAnswer, HoldsNoSecretThatASourceEchoes) {
  analysis::Redactor redactor;
  redactor.add("hunter22");
  Answer answer{
      .series = {{.labels = {{"auth", "Bearer hunter22"}}, .points = {{at(0), 1}}}},
      .document = *json::read(R"({"a": ["hunter22", 7], "hunter22": {"b": "x hunter22"}})"),
      .text = "hunter22!"};
  clean(answer, redactor);
  EXPECT_EQ(json::write(to_json(answer)).find("hunter22"), std::string::npos);
  EXPECT_EQ(json::write(*answer.document), R"({"a":["*****",7],"*****":{"b":"x *****"}})");
  EXPECT_EQ(answer.text, "*****!");
}

TEST(QueryAnswer, ShowsSoManySeriesAndCountsTheRest) {
  Answer many;
  for (std::size_t i = 0; i < kMaxShownSeries + 7; ++i)
    many.series.push_back(Series{.points = {Point{at(0), 1}}});
  EXPECT_NE(table_of(many).find("… and 7 more series"), std::string::npos);
}

}  // namespace
}  // namespace slipway::cli
