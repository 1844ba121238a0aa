#include "runtime/shim/state.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "runtime/shim/shim_testing.h"

namespace slipway::runtime {

namespace {

PodState full_state() {
  const Terminated ended{.exit_code = 137,
                         .signal = 9,
                         .reason = "Error",
                         .message = "m\n",
                         .started_at = Time(Duration(1'700'000'000'123'456'789)),
                         .finished_at = Time(Duration(1'700'000'001'123'456'789))};
  return {
      .shim = identify_self(),
      .revision = 12,
      .init_containers = {{.name = "one", .now = ended, .log = "/l/0.log"}},
      .containers = {{.name = "a",
                      .now = Waiting{.reason = "CrashLoopBackOff", .message = "back-off"},
                      .image = "web:1",
                      .replaced = true,
                      .restart_count = 4,
                      .started = true,
                      .last_terminated = ended,
                      .log = "/l/4.log",
                      .previous_log = "/l/3.log",
                      .backoff = Backoff{.delay = std::chrono::seconds(40), .since = Time{}}},
                     {.name = "b",
                      .now = Running{.started_at = Time{}, .pid = 3, .start_ticks = 9}}},
      .stopping = true,
      .ended = true,
      .bind_problem = "no",
      .mount_problem = "nor",
  };
}

TEST(PodStateJson, ReadsBackWhatItWrote) {
  const ScratchFolder scratch;
  ASSERT_TRUE(write_state(scratch.path(), full_state()));
  const auto read = read_state(scratch.path());
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(*read, full_state());
}

TEST(PodStateJson, IsNotFoundBeforeTheFirstStart) {
  const ScratchFolder scratch;
  const auto read = read_state(scratch.path());
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, ErrorCode::kNotFound);
}

TEST(ProcessIdentity, AnotherStartTimeOrBootIsAnotherProcess) {
  const ProcessIdentity self = identify_self();
  EXPECT_EQ(self.pid, ::getpid());
  EXPECT_TRUE(is_alive(self));
  auto other = self;
  ++other.start_ticks;
  EXPECT_FALSE(is_alive(other));
  other = self;
  other.boot_id = "0";
  EXPECT_FALSE(is_alive(other));
  EXPECT_FALSE(is_alive({}));
  EXPECT_FALSE(identify(-5));
}

}  // namespace

}  // namespace slipway::runtime
