#include "runtime/shim/process_list.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

namespace slipway::runtime {

namespace {

constexpr std::string_view kRest = " 5 0 0 0 0 0 0 0 0 0 0 0 20 0 1 0 777 1 2 3";

TEST(ParseStat, NamesMayHoldAnything) {
  const auto process = parse_stat("42 (a) (b c) S 7 8 9 0" + std::string(kRest).substr(2));
  ASSERT_TRUE(process);
  EXPECT_EQ(process->pid, 42);
  EXPECT_EQ(process->parent, 7);
  EXPECT_EQ(process->session, 9);
  EXPECT_FALSE(process->ended);
}

TEST(ParseStat, FindsTheStartTime) {
  const auto process =
      parse_stat("1 (x) Z 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 4242 21 22");
  ASSERT_TRUE(process);
  EXPECT_EQ(process->start_ticks, 4242U);
  EXPECT_TRUE(process->ended);
}

TEST(ParseStat, RefusesWhatIsCutShort) {
  for (const char* text : {"", "x", "1", "1 (x", "1 (x)", "1 (x) S", "1 (x) S 2 3",
                           "1 (x) S a 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21"})
    EXPECT_FALSE(parse_stat(text)) << text;
}

TEST(ListProcesses, HasThisOne) {
  const auto processes = list_processes();
  const auto self = std::ranges::find(processes, ::getpid(), &Process::pid);
  ASSERT_NE(self, processes.end());
  EXPECT_EQ(self->parent, ::getppid());
}

TEST(Descendants, LeaveOutWhatIsExcepted) {
  const std::vector<Process> processes{{.pid = 2, .parent = 1}, {.pid = 3, .parent = 2},
                                       {.pid = 4, .parent = 3}, {.pid = 5, .parent = 2},
                                       {.pid = 6, .parent = 5}, {.pid = 7, .parent = 1}};
  EXPECT_EQ(descendants(processes, {2}, {5}), (std::set<pid_t>{2, 3, 4}));
  EXPECT_EQ(descendants(processes, {2, 7}, {}), (std::set<pid_t>{2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(descendants(processes, {5}, {5}), std::set<pid_t>{});
}

}  // namespace

}  // namespace slipway::runtime
