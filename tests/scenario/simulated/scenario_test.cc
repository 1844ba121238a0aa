#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/log.h"
#include "scenario/simulated/ramble.h"
#include "scenario/simulated/simulation.h"
#include "sim/seeds.h"

// Every script of this folder, simulated: as it stands, and with what can go wrong from seeds.
namespace slipway::scenario {
namespace {

constexpr std::size_t kEnoughToCrash = 3;  // seeds; the shortest scripts write little
constexpr std::uint64_t kRambles = 10;     // for each seed that a script is played with

// What goes wrong is meant to.
[[maybe_unused]] const bool kIsQuiet = (log::set_level(log::Level::kError), true);

// One seed goes one way.
void expect_the_same_again(const Outcome& outcome, const Script& script,
                           const SimulationOptions& options) {
  const Outcome again = simulate(script, options);
  EXPECT_EQ(outcome.trace, again.trace) << "seed " << options.seed << " went two ways";
  EXPECT_EQ(outcome.steps, again.steps) << "seed " << options.seed;
}

Script script_at(const std::filesystem::path& file) {
  auto script = read_script(file);
  EXPECT_TRUE(script) << script.error().text();
  return script ? std::move(*script) : Script();
}

class Scenario : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Scenario, ComesTrue) {
  const Outcome outcome = simulate(script_at(GetParam()), {.faults = false});
  EXPECT_EQ(outcome.finding, "") << outcome.checker;
  if (!outcome.finding.empty() && std::getenv("SLIPWAY_TRACE")) fmt::print("{}", outcome.trace);
}

TEST_P(Scenario, ComesTrueWhateverGoesWrong) {
  const Script script = script_at(GetParam());
  const auto played = sim::seeds(sim::number_from("SLIPWAY_SEEDS", 5));
  int crashes = 0;
  for (const std::uint64_t seed : played) {
    const Outcome outcome = simulate(script, {.seed = seed});
    EXPECT_EQ(outcome.finding, "") << outcome.checker << ", SLIPWAY_SEED=" << seed;
    if (!outcome.finding.empty() && sim::is_single_seed() && std::getenv("SLIPWAY_TRACE"))
      fmt::print("{}", outcome.trace);
    crashes += outcome.crashes;
    if (sim::is_played_twice(seed)) expect_the_same_again(outcome, script, {.seed = seed});
  }
  if (played.size() >= kEnoughToCrash)
    EXPECT_GT(crashes, 0) << "nothing crashed: this shows less than it claims";
}

class Ramble : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Ramble, BreaksNothing) {
  const std::uint64_t most = kRambles * sim::number_from("SLIPWAY_SEEDS", 5);
  for (const std::uint64_t seed : sim::seeds(most, GetParam(), sim::kParts)) {
    const Script script = ramble(seed, SLIPWAY_SCENARIOS);
    const SimulationOptions options{.seed = seed, .faults = seed % 4 != 0};
    const Outcome outcome = simulate(script, options);
    EXPECT_EQ(outcome.finding, "") << outcome.checker << ", SLIPWAY_SEED=" << seed;
    if (sim::is_played_twice(seed)) expect_the_same_again(outcome, script, options);
    if (!sim::is_single_seed() || outcome.finding.empty() || !std::getenv("SLIPWAY_TRACE"))
      continue;
    for (const Line& line : script.lines)
      fmt::print("at {} {} {}\n", format_duration(line.at), line.verb, fmt::join(line.words, " "));
    fmt::print("{}", outcome.trace);
  }
}

std::string name_of(const testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.stem().string();
  std::ranges::replace(name, '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Scenario, testing::ValuesIn(scripts_in(SLIPWAY_SCENARIOS)), name_of);
INSTANTIATE_TEST_SUITE_P(All, Ramble, testing::Range<std::uint64_t>(0, sim::kParts));

}  // namespace
}  // namespace slipway::scenario
