#include "runtime/workloads/removal_order.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace slipway::runtime {
namespace {

using namespace std::chrono_literals;

const Time kNow(100000s);

PodView running(std::string uid) {
  return {.uid = std::move(uid),
          .node = "n",
          .phase = PodPhase::kRunning,
          .ready = true,
          .created = kNow - 1000s,
          .ready_changed = kNow - 900s};
}

std::vector<std::string> order_of(const std::vector<PodView>& pods, std::size_t count) {
  std::vector<const PodView*> pointers;
  for (const PodView& pod : pods) pointers.push_back(&pod);
  std::vector<std::string> uids;
  for (const PodView* pod : least_missed(pointers, count, kNow)) uids.push_back(pod->uid);
  return uids;
}

// Each step of the order, one against the other.
TEST(RemovalOrder, GoesByTheFirstDifference) {
  struct Case {
    std::string_view rule;
    void (*first)(PodView&);
    void (*second)(PodView&);
  };
  const Case cases[] = {
      {"unassigned before assigned", [](PodView& p) { p.node = ""; },
       [](PodView& p) { p.phase = PodPhase::kPending; }},
      {"pending before running", [](PodView& p) { p.phase = PodPhase::kPending; },
       [](PodView& p) { p.ready = false; }},
      {"unknown before running", [](PodView& p) { p.phase = PodPhase::kUnknown; },
       [](PodView& p) { p.ready = false; }},
      {"not ready before ready", [](PodView& p) { p.ready = false; },
       [](PodView& p) { p.deletion_cost = -100; }},
      {"cheap before dear", [](PodView& p) { p.deletion_cost = -1; },
       [](PodView& p) { p.ready_changed = kNow - 1s; }},
      {"ready of late before ready for long", [](PodView& p) { p.ready_changed = kNow - 1s; },
       [](PodView& p) { p.restarts = 9; }},
      {"never told before told", [](PodView& p) { p.ready_changed = {}; },
       [](PodView& p) { p.ready_changed = kNow; }},
      {"restarted more often before less", [](PodView& p) { p.restarts = 3; },
       [](PodView& p) { p.restarts = 1; }},
      {"sidecars restarted more often", [](PodView& p) { p.sidecar_restarts = 3; },
       [](PodView& p) { p.created = kNow - 1s; }},
      {"young before old", [](PodView& p) { p.created = kNow - 10s; }, [](PodView&) {}},
  };
  for (const Case& c : cases) {
    std::vector<PodView> pods{running("z-first"), running("a-second")};
    c.first(pods[0]);
    c.second(pods[1]);
    EXPECT_EQ(order_of(pods, 1), std::vector<std::string>{"z-first"}) << c.rule;
    std::ranges::reverse(pods);
    EXPECT_EQ(order_of(pods, 1), std::vector<std::string>{"z-first"}) << c.rule;
  }
}

TEST(RemovalOrder, AgesOfOneMagnitudeAreDecidedByUid) {
  std::vector<PodView> pods{running("b"), running("a")};
  pods[0].ready_changed = kNow - 600s;  // the same power of two as 900 s
  EXPECT_EQ(order_of(pods, 2), (std::vector<std::string>{"a", "b"}));
}

TEST(RemovalOrder, GivesAtMostWhatIsThere) {
  EXPECT_EQ(order_of({running("a"), running("b")}, 5).size(), 2u);
  EXPECT_EQ(order_of({running("a")}, 0).size(), 0u);
}

}  // namespace
}  // namespace slipway::runtime
