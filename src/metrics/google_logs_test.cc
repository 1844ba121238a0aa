#include "metrics/answer_parsers.h"
#include "metrics/recording_testing.h"

namespace slipway::metrics {
namespace {

using namespace testing;

class GoogleLogs : public ProviderTest {
 protected:
  GoogleLogs() {
    environment_["GCE_METADATA_HOST"] = tokens_.host();
    tokens_.answer(200, R"({"access_token":"meta","expires_in":100})");
  }
  ProviderSpec spec() {
    return {.type = "google_logs",
            .address = server_.url(),
            .credentials = Credentials{{"project", "my-project"}}};
  }
  Query query(std::string text) {
    return {.text = std::move(text),
            .range = Range{.from = at_seconds(1'700'000'000), .to = at_seconds(1'700'000'600)}};
  }
  RecordingServer tokens_{*loop_};
};

TEST_F(GoogleLogs, CountsTheEntriesOfTheWindow) {
  server_.answer(200, R"({"entries":[{"textPayload":"boom"},{"textPayload":"bang"}]})");
  auto answer = ask(spec(), query("severity>=ERROR -- all of them"));
  EXPECT_EQ(text_of(answer), "2@1700000600");
  EXPECT_EQ(answer->metadata, (Labels{{"newestEntry", "boom"}}));
  EXPECT_EQ(
      server_.requests.at(0),
      request_text(
          "POST /v2/entries:list", "Authorization: Bearer meta\nContent-Type: application/json\n",
          R"({"resourceNames":["projects/my-project"],"filter":"(severity>=ERROR -- all of them\n) )"
          R"(AND timestamp >= \"2023-11-14T22:13:20.000000Z\" AND timestamp < )"
          R"(\"2023-11-14T22:23:20.000000Z\"","orderBy":"timestamp desc","pageSize":1000})"));
}

TEST_F(GoogleLogs, NoEntriesAreNone) {
  server_.answer(200, "{}");
  EXPECT_EQ(text_of(ask(spec(), query("x"))), "0@1700000600");
}

TEST_F(GoogleLogs, GoesOnAfterAnEmptyPage) {
  server_.answer(200, R"({"nextPageToken":"p2"})");
  server_.answer(200, R"({"entries":[{"jsonPayload":{"message":"late"}}],"nextPageToken":"p3"})");
  auto answer = ask(spec(), query("x"));
  EXPECT_EQ(text_of(answer), "1@1700000600");
  EXPECT_EQ(answer->warnings, (std::vector<std::string>{"there are more than 1 entries"}));
  EXPECT_EQ(server_.requests.size(), 2U);
  EXPECT_NE(server_.requests.at(1).find(R"("pageToken":"p2")"), std::string::npos);
}

TEST_F(GoogleLogs, DoesNotSearchForEver) {
  server_.answer(200, R"({"nextPageToken":"more"})");
  auto answer = ask(spec(), query("x"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(server_.requests.size(), 20U);
}

TEST_F(GoogleLogs, TellsErrors) {
  server_.answer(400, R"({"error":{"message":"bad filter","status":"INVALID_ARGUMENT"}})");
  EXPECT_EQ(text_of(ask(spec(), query("("))),
            "invalid: error requesting Cloud Logging: status 400: bad filter");
}

TEST_F(GoogleLogs, TheProjectIsTheServiceAccounts) {
  EXPECT_NE(refusal({.type = "google_logs", .address = server_.url()}).find("no project"),
            std::string::npos);
  ProviderSpec own{.type = "google_logs",
                   .address = server_.url(),
                   .credentials = Credentials{{"serviceAccountKey", R"({"project_id":"p1"})"}}};
  EXPECT_EQ(refusal(own), "made");
  environment_["GOOGLE_CLOUD_PROJECT"] = "p2";
  EXPECT_EQ(refusal({.type = "google_logs", .address = server_.url()}), "made");
}

TEST(GoogleLogsPage, SaysWhatIsWrong) {
  EXPECT_EQ(parse_google_logs_page(R"({"entries":3})").error().message,
            "invalid response: entries is a list, found 3");
  EXPECT_FALSE(parse_google_logs_page("<html>"));
  EXPECT_EQ(parse_google_logs_page(R"({"entries":[{"a":1}]})")->newest, R"({"a":1})");
}

}  // namespace
}  // namespace slipway::metrics
