#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "api/object.h"
#include "runtime/workloads/workloads.h"
#include "sim/seeds.h"
#include "sim/workload_world.h"

namespace slipway::sim {
namespace {

using namespace runtime;

constexpr std::uint64_t kSeedsToBeCaughtIn = 30;
constexpr std::size_t kEnoughToCrash = 10;  // seeds

class WorkloadPart : public testing::TestWithParam<std::uint64_t> {};

TEST_P(WorkloadPart, EverythingSettlesAndNoPodIsTooMany) {
  const auto played = seeds(number_from("SLIPWAY_SEEDS", 20), GetParam(), kParts);
  int crashes = 0;
  for (const std::uint64_t seed : played) {
    const WorkloadOutcome outcome = run_workloads(seed);
    EXPECT_EQ(outcome.finding, "") << outcome.checker << ", SLIPWAY_SEED=" << seed;
    crashes += outcome.crashes;
    if (!is_played_twice(seed)) continue;
    EXPECT_EQ(outcome.trace, run_workloads(seed).trace) << "seed " << seed << " went two ways";
  }
  if (played.size() >= kEnoughToCrash)
    EXPECT_GT(crashes, 0) << "nothing crashed: this shows less than it claims";
  fmt::print("{} seeds, {} crashes\n", played.size(), crashes);
}

INSTANTIATE_TEST_SUITE_P(Simulation, WorkloadPart, testing::Range<std::uint64_t>(0, kParts));

bool says(const Write& write, std::string_view words) {
  return write.body && json::write(*write.body).find(words) != std::string::npos;
}

// Counts from what it saw before its own writes.
bool pod_of_a_set(const Write& write) {
  if (write.verb != Write::Verb::kCreate || write.kind != kPods) return false;
  const auto owner = api::controller_of(*write.body);
  return owner && owner->kind == "ReplicaSet";
}

// Never takes its finalizer off a Pod of a Job.
bool counting(const Write& write) {
  return write.kind == kPods && write.verb == Write::Verb::kPatch &&
         says(write, kTrackingFinalizer);
}

bool removal_of_pods(const Write& write) {
  return write.kind == kPods && write.verb == Write::Verb::kRemove;
}

bool end_of_a_deployment(const Write& write) {
  return write.kind == kDeployments && says(write, "NewReplicaSetAvailable");
}

bool end_of_a_job(const Write& write) {
  return write.kind == kJobs && (says(write, R"("Complete")") || says(write, R"("Failed")"));
}

bool change_of_a_slice(const Write& write) {
  return write.kind == kEndpointSlices && write.verb == Write::Verb::kUpdate;
}

TEST(WorkloadSimulation, EachCheckerCatchesTheControllerThatIsBrokenItsWay) {
  struct Case {
    std::string_view checker;
    Mistake mistake;
  };
  const Case cases[] = {
      {"too_many_pods", {.repeats = pod_of_a_set}},
      {"pod_not_counted", {.forgets = counting}},
      {"wrong_number_of_pods", {.forgets = removal_of_pods}},
      {"deployment_did_not_end", {.forgets = end_of_a_deployment}},
      {"job_did_not_end", {.forgets = end_of_a_job}},
      {"slices_list_others", {.forgets = change_of_a_slice}},
  };
  for (std::string_view checker : workload_checkers())
    ASSERT_NE(std::ranges::find(cases, checker, &Case::checker), std::end(cases)) << checker;
  for (const Case& broken : cases) {
    std::uint64_t seed = 1;
    while (seed <= kSeedsToBeCaughtIn &&
           run_workloads(seed, broken.mistake).checker != broken.checker)
      ++seed;
    EXPECT_LE(seed, kSeedsToBeCaughtIn) << broken.checker << " caught nothing";
  }
}

}  // namespace
}  // namespace slipway::sim
