#include "cli/bell.h"

#include <gmock/gmock.h>

#include <deque>

#include "async/sim_loop.h"

namespace slipway::cli {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;

const std::string kPods = "/api/v1/namespaces/default/pods?labelSelector=app";
const std::string kJobs = "/apis/batch/v1/namespaces/default/jobs";

// An API server whose lists are at `version`, with watches that say what the test wants.
class FakeApi final : public store::kube::Connection {
 public:
  explicit FakeApi(Loop& loop) : told_(loop) {}

  Task<Result<http::Response>> send(store::kube::Call call, std::stop_token) override {
    asked.push_back(call.target);
    if (gone) co_return fail(ErrorCode::kUnavailable, "nobody there");
    co_return http::Response{.body = R"({"metadata":{"resourceVersion":")" + version + R"("}})"};
  }
  Task<Result<std::unique_ptr<http::ResponseStream>>> open(store::kube::Call call,
                                                           std::stop_token) override {
    asked.push_back(call.target);
    co_return std::make_unique<Stream>(*this, call.target.starts_with(kPods));
  }

  // Watches of Pods say so; an empty piece ends them.
  void say(std::string piece) {
    pieces_.push_back(std::move(piece));
    told_.notify_all();
  }

  std::string version = "7";
  bool gone = false;
  int watch_status = 200;
  std::vector<std::string> asked;

 private:
  class Stream final : public http::ResponseStream {
   public:
    Stream(FakeApi& api, bool of_pods) : api_(api), status_(api.watch_status), of_pods_(of_pods) {}
    int status() const override { return status_; }
    const http::Headers& headers() const override { return headers_; }
    Task<Result<std::string>> next(Duration idle, std::stop_token stop) override {
      while (!of_pods_ || api_.pieces_.empty())
        if (co_await api_.told_.wait(idle, stop) != Signal::Wake::kNotified)
          co_return fail(ErrorCode::kCancelled, "stopped");
      std::string piece = std::move(api_.pieces_.front());
      api_.pieces_.pop_front();
      co_return piece;
    }

   private:
    FakeApi& api_;
    int status_;
    bool of_pods_;
    http::Headers headers_;
  };

  std::deque<std::string> pieces_;
  Signal told_;
};

std::string event(std::string_view type) {
  return R"({"type":")" + std::string(type) + R"(","object":{"metadata":{"name":"a"}}})" + "\n";
}

class BellTest : public testing::Test {
 protected:
  ~BellTest() override { run_to_end(*loop, bell.stop()); }
  bool rings(Duration patience = 100ms) { return run_to_end(*loop, bell.wait(patience)); }

  std::unique_ptr<SimLoop> loop = make_sim_loop();
  FakeApi api{*loop};
  Bell bell{*loop, api, {kPods, kJobs}};
};

TEST_F(BellTest, AsksNothingBeforeSomebodyWaits) {
  loop->run_for(1s);
  EXPECT_THAT(api.asked, ElementsAre());
  EXPECT_FALSE(bell.hears_all());
}

TEST_F(BellTest, RingsOnceItListensAndIsQuietThen) {
  EXPECT_TRUE(rings());
  loop->run_for(1ms);
  rings();
  EXPECT_TRUE(bell.hears_all());
  EXPECT_FALSE(rings(1h));
  EXPECT_THAT(api.asked, testing::UnorderedElementsAre(
                             kPods + "&limit=1", kPods + "&watch=true&resourceVersion=7",
                             kJobs + "?limit=1", kJobs + "?watch=true&resourceVersion=7"));
}

TEST_F(BellTest, EveryChangeRingsAndABookmarkDoesNot) {
  while (rings()) continue;
  for (const auto* type : {"ADDED", "MODIFIED", "DELETED"}) {
    api.say(event(type));
    EXPECT_TRUE(rings()) << type;
    EXPECT_FALSE(rings()) << type;
  }
  api.say(event("BOOKMARK"));
  EXPECT_FALSE(rings());
}

TEST_F(BellTest, WhatRangBeforeSomebodyWaitsIsNotForgotten) {
  while (rings()) continue;
  api.say(event("MODIFIED"));
  loop->run_for(1s);
  EXPECT_TRUE(rings());
}

TEST_F(BellTest, AWatchThatEndsIsOpenedAgainFromWhatIsThereAndRings) {
  for (const std::string& end : {event("ERROR"), std::string("no JSON\n"), std::string()}) {
    while (rings()) continue;
    api.asked.clear();
    api.version = "12";
    api.say(end);
    loop->run_for(1ms);
    EXPECT_FALSE(bell.hears_all());
    EXPECT_TRUE(rings(2s));
    EXPECT_TRUE(bell.hears_all());
    EXPECT_THAT(api.asked,
                ElementsAre(kPods + "&limit=1", kPods + "&watch=true&resourceVersion=12"));
  }
}

TEST_F(BellTest, AServerThatIsGoneIsAskedAgainEverySecond) {
  api.gone = true;
  EXPECT_FALSE(rings(10s));
  EXPECT_FALSE(bell.hears_all());
  EXPECT_THAT(api.asked, SizeIs(testing::AllOf(testing::Ge(18u), testing::Le(22u))));
  api.gone = false;
  EXPECT_TRUE(rings(2s));
}

TEST_F(BellTest, AWatchThatIsRefusedIsNotHeard) {
  api.watch_status = 403;
  EXPECT_FALSE(rings(10s));
  EXPECT_FALSE(bell.hears_all());
}

}  // namespace
}  // namespace slipway::cli
