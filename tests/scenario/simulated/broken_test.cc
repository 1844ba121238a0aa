#include <gtest/gtest.h>

#include <algorithm>

#include "scenario/simulated/broken_controllers.h"
#include "scenario/simulated/checkers.h"
#include "scenario/simulated/simulation.h"

// For everything that checkers look at a controller that does it wrong, and is caught.
namespace slipway::scenario {
namespace {

constexpr std::uint64_t kMaxSeeds = 40;

// The script's own expectations, which would see most of it, do not count: only what the checker
// says of the whole story.
Script script_of(const Broken& broken) {
  const std::filesystem::path folder(SLIPWAY_SCENARIOS);
  auto script = broken.script.contains('\n')
                    ? parse_script(std::string(broken.wrong), broken.script)
                    : read_script(folder / (std::string(broken.script) + ".scenario"));
  SLIPWAY_ASSERT(script);
  script->folder = folder;
  std::erase_if(script->lines, [](const Line& line) { return line.verb == "expect"; });
  return std::move(*script);
}

bool speaks(const Broken& broken, const Script& script, const SimulationOptions& options) {
  return std::ranges::count(simulate(script, options).unhappy, broken.checker) > 0;
}

class BrokenController : public testing::TestWithParam<std::size_t> {};

TEST_P(BrokenController, IsCaught) {
  const Broken& broken = broken_controllers()[GetParam()];
  const Script script = script_of(broken);
  std::uint64_t seed = 1;
  while (seed <= kMaxSeeds && !speaks(broken, script, {.seed = seed, .spoiler = broken.spoiler}))
    ++seed;
  ASSERT_LE(seed, kMaxSeeds) << broken.checker << " does not see it";
  EXPECT_FALSE(speaks(broken, script, {.seed = seed}))
      << broken.checker << " speaks of a controller that does right, too";
}

std::string name_of(const testing::TestParamInfo<std::size_t>& info) {
  return std::string(broken_controllers()[info.param].wrong);
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
