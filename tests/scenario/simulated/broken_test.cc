#include <fmt/format.h>
#include <gtest/gtest.h>

#include "scenario/player/kinds.h"
#include "scenario/simulated/checkers.h"
#include "scenario/simulated/simulation.h"

// For every checker a controller that does wrong its way, and is caught.
namespace slipway::scenario {
namespace {

constexpr std::uint64_t kMaxSeeds = 40;

// Sends a hundredth of the traffic nowhere.
void loses_traffic(const Write& write) {
  if (write.kind != kHttpRoutes || write.verb != Write::Verb::kUpdate) return;
  json::Value& weight = write.body.at_pointer("/spec/rules/0/backendRefs/0/weight");
  if (weight.is_int64() && weight.get_int64() > 0) weight = weight.get_int64() - 1;
}

// Does not wait for the verdict of a step.
void passes_by(const Write& write) {
  json::Object* status = write.rollout_status();
  if (!status || !json::at(*status, {"canary", "currentStepAnalysisRunStatus"})) return;
  json::Value& index = (*status)["currentStepIndex"];
  if (index.is_int64() && index.get_int64() == 1) index = 2;
}

void keeps_the_aborted(const Write& write) {
  json::Object* status = write.rollout_status();
  if (!status || !status->contains("abort") || !status->at("abort").as_bool()) return;
  (*status)["stableRS"] = status->at("currentPodHash");
}

void begins_again(const Write& write) {
  json::Object* status = write.rollout_status();
  if (status && status->contains("currentStepIndex") && (*status)["currentStepIndex"] == 3)
    (*status)["currentStepIndex"] = 0;
}

void skips_a_step(const Write& write) {
  json::Object* status = write.rollout_status();
  if (status && status->contains("currentStepIndex") && (*status)["currentStepIndex"] == 1)
    (*status)["currentStepIndex"] = 2;
}

Spoiler makes_two(const api::Gvr& kind) {
  return [&kind](const Write& write) {
    write.twice = write.verb == Write::Verb::kCreate && write.kind == kind;
  };
}

void surges(const Write& write) {
  if (write.kind != kReplicaSets || write.verb != Write::Verb::kPatch) return;
  json::Value* replicas = json::at(write.body, {"spec", "replicas"});
  if (replicas && replicas->as_int64() > 0) *replicas = replicas->as_int64() + 2;
}

void drops_too_soon(const Write& write) {
  if (write.kind != kReplicaSets || write.verb != Write::Verb::kPatch) return;
  json::Value* replicas = json::at(write.body, {"spec", "replicas"});
  if (replicas && replicas->as_int64() == 4) *replicas = 1;
}

void selects_nobody(const Write& write) {
  if (write.kind != kServices || write.verb != Write::Verb::kPatch || write.key.name != "canary")
    return;
  if (json::Value* hash = json::at(write.body, {"spec", "selector", "rollouts-pod-template-hash"}))
    *hash = "nobody";
}

void never_says_so(const Write& write) {
  json::Object* status = write.rollout_status();
  if (status && (*status)["phase"] == "Healthy") (*status)["phase"] = "Progressing";
}

struct Broken {
  std::string_view checker;
  std::string_view script;
  Spoiler spoiler;
};

// The script's own expectations, which would see most of it, do not count: only what the checker
// says of the whole story.
bool is_caught(const Broken& broken) {
  auto script = read_script(std::filesystem::path(SLIPWAY_SCENARIOS) /
                            (std::string(broken.script) + ".scenario"));
  SLIPWAY_ASSERT(script);
  std::erase_if(script->lines, [](const Line& line) { return line.verb == "expect"; });
  for (std::uint64_t seed = 1; seed <= kMaxSeeds; ++seed)
    for (const std::string& found :
         simulate(*script, {.seed = seed, .spoiler = broken.spoiler}).unhappy)
      if (found == broken.checker) return true;
  return false;
}

const std::vector<Broken>& broken_controllers() {
  static const std::vector<Broken> all{
      {"weights_do_not_add_up", "routed-weights", loses_traffic},
      {"promoted_unproven", "analysis-step-fails", passes_by},
      {"aborted_became_stable", "canary-abort-retry", keeps_the_aborted},
      {"steps_out_of_order", "canary-promote", begins_again},
      {"steps_out_of_order", "canary-promote", skips_a_step},
      {"made_twice", "analysis-passes", makes_two(kAnalysisRuns)},
      {"made_twice", "experiment-step-passes", makes_two(kExperiments)},
      {"made_twice", "canary-basic", makes_two(kReplicaSets)},
      {"too_many_pods", "canary-promote", surges},
      {"too_few_pods", "canary-promote", drops_too_soon},
      {"traffic_to_nobody", "routed-weights", selects_nobody},
      {"does_not_end", "canary-basic", never_says_so}};
  return all;
}

class BrokenController : public testing::TestWithParam<std::size_t> {};

TEST_P(BrokenController, IsCaught) {
  const Broken& broken = broken_controllers()[GetParam()];
  EXPECT_TRUE(is_caught(broken)) << broken.checker << " does not see it in " << broken.script;
}

std::string name_of(const testing::TestParamInfo<std::size_t>& info) {
  return fmt::format("{}_{}", broken_controllers()[info.param].checker, info.param);
}

INSTANTIATE_TEST_SUITE_P(All, BrokenController,
                         testing::Range<std::size_t>(0, broken_controllers().size()), name_of);

TEST(Checkers, HaveEachCaughtSomething) {
  for (const Checker& checker : checkers())
    EXPECT_NE(std::ranges::find(broken_controllers(), checker.name, &Broken::checker),
              broken_controllers().end())
        << checker.name;
}

}  // namespace
}  // namespace slipway::scenario
