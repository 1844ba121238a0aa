#include "runtime/process/run_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slipway::runtime {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

Result<Ran> run_script(const char* script, Duration patience = seconds(20)) {
  return run_program({"/bin/sh", "-c", script}, patience);
}

TEST(RunProgram, TellsHowItEndedAndWhatItSaid) {
  const auto ran = run_script("echo out; echo err >&2; exit 3");
  ASSERT_TRUE(ran) << ran.error().text();
  EXPECT_EQ(ran->code, 3);
  EXPECT_EQ(ran->output, "out\nerr\n");
  EXPECT_EQ(run_script("kill -9 $$")->code, 137);
}

TEST(RunProgram, IsASessionOfItsOwnWithoutOurDescriptors) {
  // $$ is the session's number when it leads it; the fourth descriptor is that of the listing.
  EXPECT_EQ(run_script("read _ _ _ _ _ session _ < /proc/$$/stat; echo $((session == $$))")->output,
            "1\n");
  EXPECT_EQ(run_program({"/bin/ls", "/proc/self/fd"}, seconds(20))->output, "0\n1\n2\n3\n");
}

TEST(RunProgram, KeepsTheFirstPartOfALongOutput) {
  const auto ran = run_script("head -c 3000000 /dev/zero; echo end");
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->code, 0);
  EXPECT_EQ(ran->output.size(), kMaxProgramOutput);
}

TEST(RunProgram, SaysWhatCannotBeStarted) {
  const auto ran = run_program({"/no/such/program"}, seconds(1));
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(ran.error().message, "cannot run /no/such/program: No such file or directory");
}

TEST(RunProgram, KillsWhatTakesTooLong) {
  const auto ran = run_script("sleep 1000; true", milliseconds(200));
  ASSERT_FALSE(ran);
  EXPECT_EQ(ran.error().code, ErrorCode::kTimeout);
  EXPECT_EQ(ran.error().message, "/bin/sh takes longer than 200ms");
}

}  // namespace

}  // namespace slipway::runtime
