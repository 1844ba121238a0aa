#include "async/readiness.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "async/real_loop.h"

namespace slipway {
namespace {

using namespace std::chrono_literals;

class ReadinessOfASocket : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends_), 0);
    readiness_ = std::make_unique<Readiness>(*loop_, ends_[0]);
  }
  void TearDown() override {
    readiness_.reset();
    close(ends_[0]);
    close(ends_[1]);
  }
  void run_for(Duration duration) {
    auto timer = loop_->clock().call_after(duration, [this] { loop_->stop(); });
    loop_->run();
  }

  std::unique_ptr<Loop> loop_ = make_loop();
  int ends_[2] = {-1, -1};
  std::unique_ptr<Readiness> readiness_;
  int calls_ = 0;
};

TEST_F(ReadinessOfASocket, CallsOnceForEachWaitAlsoWhenNothingWasReadSince) {
  readiness_->when_readable([this] { ++calls_; });
  run_for(5ms);
  EXPECT_EQ(calls_, 0);
  ASSERT_EQ(write(ends_[1], "x", 1), 1);
  run_for(5ms);
  EXPECT_EQ(calls_, 1);
  readiness_->when_readable([this] { ++calls_; });
  run_for(5ms);
  EXPECT_EQ(calls_, 2);
}

TEST_F(ReadinessOfASocket, TellsTheEndOfTheData) {
  readiness_->when_readable([this] { ++calls_; });
  shutdown(ends_[1], SHUT_RDWR);
  run_for(5ms);
  EXPECT_EQ(calls_, 1);
}

TEST_F(ReadinessOfASocket, TellsWhenWritingGoesOn) {
  std::string block(1 << 16, 'x');
  while (write(ends_[0], block.data(), block.size()) > 0) continue;
  readiness_->when_writable([this] { ++calls_; });
  run_for(5ms);
  EXPECT_EQ(calls_, 0);
  while (read(ends_[1], block.data(), block.size()) > 0) continue;
  run_for(5ms);
  EXPECT_EQ(calls_, 1);
}

TEST_F(ReadinessOfASocket, MayGoInsideItsOwnCallAndCallsNothingAfter) {
  readiness_->when_readable([this] {
    ++calls_;
    readiness_.reset();
  });
  readiness_->when_writable([this] {
    ++calls_;
    readiness_.reset();
  });
  ASSERT_EQ(write(ends_[1], "x", 1), 1);
  run_for(5ms);
  EXPECT_EQ(calls_, 1);
}

}  // namespace
}  // namespace slipway
