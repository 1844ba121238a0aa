#include "runtime/node/logs.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "async/sim_loop.h"
#include "base/scratch_testing.h"
#include "runtime/node/fake_host.h"

namespace slipway::runtime {
namespace {

using namespace std::chrono_literals;

struct LogsTest : testing::Test {
  LogsTest() {
    machine.log_of = [this](const auto&, const ContainerPlan& container, int number) {
      return folder + "/" + container.name + "." + std::to_string(number) + ".log";
    };
  }
  // A Pod whose container runs for so long.
  void start(std::optional<Duration> ends_after = {}) {
    machine.script = [ends_after](const auto&, const auto&, int) {
      return FakeRun{.ends_after = ends_after};
    };
    PodOrder order{.plan = {.uid = "u", .ns = "n", .name = "p", .containers = {{.name = "main"}}}};
    EXPECT_TRUE(run_to_end(*loop, host.start(std::move(order))));
  }
  void append(const std::string& file, const std::string& text, int second = 0) {
    std::ofstream out(folder + "/" + file, std::ios::app);
    out << "2026-01-02T10:00:0" << second << ".000000000Z stdout F " << text << "\n";
  }
  Result<std::unique_ptr<http::Stream>> open(LogRequest request) {
    if (request.container.empty()) request.container = "main";
    return run_to_end(*loop, reader.open("u", "p", std::move(request)));
  }
  std::string read_all(LogRequest request) {
    auto stream = open(std::move(request));
    if (!stream) return stream.error().message;
    std::string all;
    for (;;) {
      auto piece = run_to_end(*loop, (*stream)->next({}));
      if (piece->empty()) return all;
      all += *piece;
    }
  }

  std::unique_ptr<SimLoop> loop = make_sim_loop();
  std::unique_ptr<Pool> pool = make_inline_pool();
  FakeMachine machine{*loop};
  FakePodHost host{machine};
  PodLogReader reader{*loop, *pool, host};
  const ScratchFolder scratch;
  const std::string folder = scratch.path();
};

TEST_F(LogsTest, OfAContainerThatHasNotBegunThereIsNothingToRead) {
  start();
  EXPECT_EQ(read_all({}), "container \"main\" in pod \"p\" is waiting to start: ContainerCreating");
  EXPECT_EQ(read_all({.previous = true}),
            "previous terminated container \"main\" in pod \"p\" not found");
  EXPECT_EQ(open({}).error().code, ErrorCode::kBadRequest);
}

TEST_F(LogsTest, FilesMovedAsideComeFirst) {
  start();
  loop->run_for(1s);
  append("main.0.log.2", "one");
  append("main.0.log.1", "two");
  append("main.0.log", "three");
  append("main.0.log", "four");
  EXPECT_EQ(read_all({}), "one\ntwo\nthree\nfour\n");
}

TEST_F(LogsTest, TheLastLinesMayBeInOlderFiles) {
  start();
  loop->run_for(1s);
  append("main.0.log.1", "one");
  append("main.0.log.1", "two");
  append("main.0.log", "three");
  append("main.0.log", "four");
  const char* expected[] = {"",
                            "four\n",
                            "three\nfour\n",
                            "two\nthree\nfour\n",
                            "one\ntwo\nthree\nfour\n",
                            "one\ntwo\nthree\nfour\n"};
  for (int lines = 0; lines < 6; ++lines)
    EXPECT_EQ(read_all({.tail_lines = lines}), expected[lines]) << lines;
}

TEST_F(LogsTest, TheLastLinesOfALargeFileAreFoundFromItsEnd) {
  start();
  loop->run_for(1s);
  std::string last;
  for (int i = 0; i < 5000; ++i) append("main.0.log", "line " + std::to_string(i));
  for (int i = 2500; i < 5000; ++i) last += "line " + std::to_string(i) + "\n";
  EXPECT_EQ(read_all({.tail_lines = 2500}), last);
}

TEST_F(LogsTest, FollowingEndsWithTheContainer) {
  start(5s);
  loop->run_for(1s);
  append("main.0.log", "one");
  auto stream = open({.follow = true});
  ASSERT_TRUE(stream);
  EXPECT_EQ(*run_to_end(*loop, (*stream)->next({})), "one\n");
  const auto writer = loop->clock().call_after(1s, [this] { append("main.0.log", "two"); });
  EXPECT_EQ(*run_to_end(*loop, (*stream)->next({})), "two\n");
  // Moved aside, with something new on either side.
  append("main.0.log", "three");
  std::filesystem::rename(folder + "/main.0.log", folder + "/main.0.log.1");
  append("main.0.log", "four");
  EXPECT_EQ(*run_to_end(*loop, (*stream)->next({})), "three\n");
  EXPECT_EQ(*run_to_end(*loop, (*stream)->next({})), "four\n");
  EXPECT_EQ(*run_to_end(*loop, (*stream)->next({})), "");
}

TEST_F(LogsTest, AFollowerThatIsOvertakenGoesOnWithTheOldestFileThatIsLeft) {
  start(5s);
  loop->run_for(1s);
  append("main.0.log", "one");
  auto stream = open({.follow = true});
  EXPECT_EQ(*run_to_end(*loop, (*stream)->next({})), "one\n");
  std::filesystem::remove(folder + "/main.0.log");
  append("main.0.log.1", "three");
  append("main.0.log", "four");
  EXPECT_EQ(*run_to_end(*loop, (*stream)->next({})), "three\n");
  EXPECT_EQ(*run_to_end(*loop, (*stream)->next({})), "four\n");
  EXPECT_EQ(*run_to_end(*loop, (*stream)->next({})), "");
}

TEST_F(LogsTest, AFollowerThatGoesAwayIsLetGo) {
  start();
  loop->run_for(1s);
  append("main.0.log", "one");
  auto stream = open({.follow = true});
  EXPECT_EQ(*run_to_end(*loop, (*stream)->next({})), "one\n");
  std::stop_source gone;
  const auto leave = loop->clock().call_after(1s, [&gone] { gone.request_stop(); });
  EXPECT_EQ(*run_to_end(*loop, (*stream)->next(gone.get_token())), "");
}

TEST_F(LogsTest, ThePreviousRunIsKept) {
  start(1s);
  loop->run_for(500ms);
  append("main.0.log", "before");
  loop->run_for(1s);
  append("main.1.log", "after");
  EXPECT_EQ(read_all({.previous = true}), "before\n");
  EXPECT_EQ(read_all({}), "after\n");
}

TEST_F(LogsTest, BetweenTwoRunsTheLastOneIsThePreviousOne) {
  start(1s);
  loop->run_for(3s);
  append("main.1.log", "last");
  EXPECT_EQ(read_all({.previous = true}), "last\n");
  EXPECT_EQ(read_all({}), "last\n");
}

}  // namespace
}  // namespace slipway::runtime
