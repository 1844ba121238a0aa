#include "cli/describe.h"

#include <gtest/gtest.h>

namespace slipway::cli {
namespace {

TEST(Describe, ShowsMetadataThenTheRestThenEvents) {
  const json::Value object =
      json::read(R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout","metadata":{
    "name":"web","namespace":"shop","labels":{"app":"web","tier":"front"}},
    "spec":{"minReadySeconds":5,"steps":[{"setWeight":20},{"pause":{}}],"args":["a","b"]}})")
          .value();
  const json::Array events = json::read(R"([{"type":"Normal","reason":"Scaled","count":3,
    "lastTimestamp":"2026-01-01T00:00:00Z","source":{"component":"slipway"},"message":"to 3"}])")
                                 .value()
                                 .get_array();
  const Time now = parse_time("2026-01-01T00:02:00Z").value();
  EXPECT_EQ(describe_text(object, events, now),
            "Name:         web\n"
            "Namespace:    shop\n"
            "Labels:       app=web\n"
            "              tier=front\n"
            "Annotations:  <none>\n"
            "API Version:  argoproj.io/v1alpha1\n"
            "Kind:         Rollout\n"
            "Spec:\n"
            "  Min Ready Seconds:  5\n"
            "  Steps:\n"
            "    - Set Weight:  20\n"
            "    - Pause:\n"
            "  Args:\n"
            "    a\n"
            "    b\n"
            "Events:\n"
            "  Type     Reason   Age       From      Message\n"
            "  ----     ------   ---       ----      -------\n"
            "  Normal   Scaled   2m (x3)   slipway   to 3\n");
}

TEST(Describe, ShowsEventsInTheOrderOfWhatHappened) {
  const json::Array events = json::read(R"([
    {"reason":"Third","lastTimestamp":"2026-01-01T00:00:01Z","metadata":{"resourceVersion":"100"}},
    {"reason":"Fourth","lastTimestamp":"2026-01-01T00:00:02Z","metadata":{"resourceVersion":"99"}},
    {"reason":"Second","lastTimestamp":"2026-01-01T00:00:01Z","metadata":{"resourceVersion":"20"}},
    {"reason":"First","metadata":{"resourceVersion":"101"}}])")
                                 .value()
                                 .get_array();
  const std::string text = describe_text(json::Object(), events, {});
  std::size_t last = 0;
  for (const char* reason : {"First", "Second", "Third", "Fourth"}) {
    EXPECT_GT(text.find(reason), last) << text;
    last = text.find(reason);
  }
}

TEST(Describe, DoesNotShowWhatASecretHolds) {
  const json::Value secret =
      json::read(
          R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"},"data":{"password":"c2VjcmV0"}})")
          .value();
  const std::string text = describe_text(secret, {}, {});
  EXPECT_EQ(text.find("c2VjcmV0"), std::string::npos);
  EXPECT_NE(text.find("password:  6 bytes"), std::string::npos) << text;
}

TEST(Describe, CountsTheBytesOfASecretWithoutTheirPadding) {
  const std::pair<const char*, const char*> cases[] = {{"aHVudGVyMg==", "p:  7 bytes"},
                                                       {"aHVudGVy", "p:  6 bytes"},
                                                       {"aHVudGU=", "p:  5 bytes"},
                                                       {"", "p:  0 bytes"}};
  for (const auto& [data, line] : cases) {
    const json::Value secret =
        json::Object{{"apiVersion", "v1"}, {"kind", "Secret"}, {"data", json::Object{{"p", data}}}};
    EXPECT_NE(describe_text(secret, {}, {}).find(line), std::string::npos) << data;
  }
}

TEST(Describe, ShowsArraysInsideArrays) {
  const json::Value object =
      json::read(R"({"spec":{"rows":[["a","b"],[],[["c"],{"d":1}],"e"]}})").value();
  EXPECT_NE(describe_text(object, {}, {})
                .find("Spec:\n"
                      "  Rows:\n"
                      "    - a\n"
                      "      b\n"
                      "    - - c\n"
                      "      - D:  1\n"
                      "    e\n"),
            std::string::npos)
      << describe_text(object, {}, {});
}

TEST(Describe, GivesATerminalNothingToObey) {
  const json::Value object =
      json::read(R"({"kind":"X","metadata":{"name":"a\u001b","annotations":{"k":"\u001b[1m"}},
                     "spec":{"a.\u001b":"one\u001b[2J\r","lines":"x\ty\n\u001b[2Jz"}})")
          .value();
  const json::Array events =
      json::read(R"([{"reason":"R\u001b","message":"tail\u001b[2J\nof a log"}])")
          .value()
          .get_array();
  const std::string text = describe_text(object, events, {});
  EXPECT_EQ(text.find_first_of("\x1b\r"), std::string::npos) << text;
  for (const char* line : {"a^[\n", "k=^[[1m\n", "  a.^[:  one^[[2J\\r\n",
                           "  Lines:\n    x\ty\n    ^[[2Jz\n", "tail [2J of a log\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
}

TEST(Describe, LeavesKeysThatAreNoWordsAlone) {
  const json::Value pod =
      json::read(R"({"kind":"X","spec":{"annotations":{"kubectl.kubernetes.io/restartedAt":"now",
                     "a/bC":"1"},"maxSurge":1}})")
          .value();
  const std::string text = describe_text(pod, {}, {});
  for (const char* line : {"kubectl.kubernetes.io/restartedAt:  now", "a/bC:  1", "Max Surge:  1"})
    EXPECT_NE(text.find(line), std::string::npos) << text;
}

}  // namespace
}  // namespace slipway::cli
