#include "cli/watching.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <deque>

#include "async/run_to_end.h"
#include "async/sim_loop.h"

namespace slipway::cli {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

// What one opening of the watch gives: its pieces, and then its end.
struct Answer {
  int status = 200;
  std::vector<std::string> pieces = {};
  bool gone = false;  // nobody answers
  std::optional<ErrorCode> breaks = {};
};

class FakeStream final : public http::ResponseStream {
 public:
  explicit FakeStream(Answer answer) : answer_(std::move(answer)) {}
  int status() const override { return answer_.status; }
  const http::Headers& headers() const override { return headers_; }
  Task<Result<std::string>> next(Duration, std::stop_token) override {
    if (given_ < answer_.pieces.size()) co_return answer_.pieces[given_++];
    if (answer_.breaks) co_return fail(*answer_.breaks, "broken");
    co_return std::string();
  }

 private:
  Answer answer_;
  std::size_t given_ = 0;
  http::Headers headers_;
};

std::string event(std::string_view type, std::string_view version) {
  return fmt::format(R"({{"type":"{}","object":{{"metadata":{{"resourceVersion":"{}"}}}}}})", type,
                     version) +
         "\n";
}
std::string failure(std::string_view message) {
  return fmt::format(R"({{"type":"ERROR","object":{{"message":"{}"}}}})", message) + "\n";
}

class WatchingTest : public testing::Test {
 protected:
  Task<Result<std::unique_ptr<http::ResponseStream>>> open(store::kube::Call call) {
    asked.push_back(call.target.substr(call.target.rfind('=') + 1));
    if (answers.empty() || answers.front().gone)
      co_return fail(ErrorCode::kUnavailable, "nobody there");
    Answer answer = std::move(answers.front());
    answers.pop_front();
    co_return std::make_unique<FakeStream>(std::move(answer));
  }
  // The type and version of the next event, or what went wrong.
  std::string next() {
    const auto got = run_to_end(*loop, watching.next(1h));
    if (!got) return got.error().message;
    return fmt::format("{} {}", json::string_at(*got, {"type"}),
                       json::string_at(*got, {"object", "metadata", "resourceVersion"}));
  }

  std::unique_ptr<SimLoop> loop = make_sim_loop();
  std::deque<Answer> answers;
  std::vector<std::string> asked;  // from which version
  Watching watching{*loop,
                    {.open = [this](store::kube::Call call) { return open(std::move(call)); },
                     .list = "/api/v1/pods",
                     .version = "7",
                     .ended = {.code = ErrorCode::kUnavailable, .message = "ended"}}};
};

TEST_F(WatchingTest, OneThatTheServerEndsGoesOnFromItsLastVersion) {
  answers = {{.pieces = {event("ADDED", "8") + event("BOOKMARK", "20")}},
             {.pieces = {event("MODIFIED", "21")}, .breaks = ErrorCode::kUnavailable},
             {.breaks = ErrorCode::kTimeout},
             {.pieces = {event("DELETED", "22")}}};
  EXPECT_EQ(next(), "ADDED 8");
  EXPECT_EQ(next(), "BOOKMARK 20");
  EXPECT_EQ(next(), "MODIFIED 21");
  EXPECT_EQ(next(), "DELETED 22");
  EXPECT_THAT(asked, ElementsAre("7", "20", "21", "21"));
}

TEST_F(WatchingTest, AServerThatEndsEveryWatchAtOnceIsAskedOnceASecond) {
  answers.resize(5);
  const Duration began = loop->clock().uptime();
  EXPECT_EQ(next(), "ended");
  EXPECT_EQ(loop->clock().uptime() - began, 5 * Watching::kReopen);
  EXPECT_EQ(asked.size(), 6u);
}

TEST_F(WatchingTest, AServerThatHasGoneOrForgottenEndsIt) {
  answers = {{.pieces = {event("ADDED", "8")}}, {.gone = true}};
  EXPECT_EQ(next(), "ADDED 8");
  EXPECT_EQ(next(), "ended");
  answers = {{.pieces = {failure("too old resource version")}}};
  EXPECT_EQ(next(), "ended");
  answers = {{.status = 403}};
  EXPECT_NE(next(), "ended");
}

TEST_F(WatchingTest, WhatIsWrongFromTheBeginningIsSaid) {
  answers = {{.gone = true}};
  EXPECT_EQ(next(), "nobody there");
}

TEST_F(WatchingTest, AVersionThatIsTooOldFromTheBeginningIsSaid) {
  answers = {{.pieces = {failure("too old resource version")}}};
  EXPECT_EQ(next(), "too old resource version");
}

}  // namespace
}  // namespace slipway::cli
