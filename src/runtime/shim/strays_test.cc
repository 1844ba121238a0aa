#include "runtime/shim/strays.h"

#include <gtest/gtest.h>

namespace slipway::runtime {

namespace {

using namespace std::string_view_literals;

const std::vector<Session> kOurs{{.leader = 50, .start_ticks = 700}};

TEST(Strays, AreTheMembersOfASessionOfThePod) {
  const Process leader{.pid = 50, .session = 50, .start_ticks = 700};
  const Process zombie{.pid = 50, .session = 50, .start_ticks = 700, .ended = true};
  const Process member{.pid = 51, .parent = 1, .session = 50, .start_ticks = 701};
  const Process other{.pid = 60, .session = 60, .start_ticks = 701};
  // The number was given again, and who has it now began later.
  const Process successor{.pid = 50, .session = 50, .start_ticks = 900};
  const Process ended_successor{.pid = 50, .session = 50, .start_ticks = 900, .ended = true};
  const Process in_another_session{.pid = 50, .session = 40, .start_ticks = 900};
  const Process older{.pid = 51, .session = 50, .start_ticks = 600};
  const struct {
    std::vector<Process> processes;
    std::set<pid_t> members;
  } cases[] = {
      {{leader, member, other}, {50, 51}},
      {{zombie, member}, {50, 51}},
      {{member, other}, {51}},
      {{other}, {}},
      {{successor, member}, {}},
      {{member, successor}, {}},
      {{member, ended_successor}, {}},
      {{member, in_another_session}, {}},
      {{member, older}, {}},
      {{}, {}},
  };
  for (const auto& one : cases) EXPECT_EQ(members_of(one.processes, kOurs), one.members);
}

TEST(Strays, SessionsAreThoseOfThisBootThatRan) {
  PodState state{.shim = {.pid = 5, .start_ticks = 6, .boot_id = "b"}};
  state.containers = {{.name = "a", .now = Running{.pid = 50, .start_ticks = 700}},
                      {.name = "b", .now = Terminated{}},
                      {.name = "c", .now = Running{.pid = 51, .start_ticks = 0}}};
  state.init_containers = {{.name = "i", .now = Running{.pid = 40, .start_ticks = 600}}};
  EXPECT_EQ(sessions_of(state, "b"), (std::vector<Session>{{40, 600}, {50, 700}}));
  EXPECT_TRUE(sessions_of(state, "c").empty());
  state.shim.boot_id = "";
  EXPECT_TRUE(sessions_of(state, "").empty());
}

TEST(Strays, ATitleIsNoVariable) {
  EXPECT_TRUE(has_variables("PATH=/bin\0HOME=/\0"sv));
  EXPECT_TRUE(has_variables("rest of a title\0A_1="sv));
  EXPECT_FALSE(has_variables(""sv));
  EXPECT_FALSE(has_variables("\0\0\0"sv));
  EXPECT_FALSE(has_variables("er process\0\0"sv));
  EXPECT_FALSE(has_variables("worker --level=3\0=x\0"sv));
}

}  // namespace

}  // namespace slipway::runtime
