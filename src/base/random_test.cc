#include "base/random.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace slipway {
namespace {

using testing::ContainsRegex;

TEST(Random, TheSameSeedGivesTheSameNumbers) {
  const auto a = seeded_random(42);
  const auto b = seeded_random(42);
  const auto other = seeded_random(43);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const auto number = a->next();
    EXPECT_EQ(number, b->next());
    differs = differs || number != other->next();
  }
  EXPECT_TRUE(differs);
}

TEST(Random, TheSystemDoesNotRepeatItself) {
  const auto random = system_random();
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random->next());
  EXPECT_EQ(seen.size(), 1000U);
}

TEST(Random, BelowIsUniformAndStaysBelow) {
  const auto random = seeded_random(1);
  std::map<std::uint64_t, int> counts;
  for (int i = 0; i < 6000; ++i) ++counts[random->below(6)];
  ASSERT_EQ(counts.size(), 6U);
  for (const auto& [number, count] : counts) {
    EXPECT_LT(number, 6U);
    EXPECT_NEAR(count, 1000, 150);
  }
  EXPECT_EQ(random->below(1), 0U);
}

// Gives what it was told to.
class ScriptedRandom final : public Random {
 public:
  explicit ScriptedRandom(std::vector<std::uint64_t> numbers) : numbers_(std::move(numbers)) {}
  std::uint64_t next() override { return numbers_.at(at_++); }

 private:
  std::vector<std::uint64_t> numbers_;
  std::size_t at_ = 0;
};

TEST(Random, BelowDrawsAgainWhatWouldFavourSmallNumbers) {
  // 2^64 = 3 * k + 1, so one draw in 2^64 has to be dropped.
  ScriptedRandom random({0, 7});
  EXPECT_EQ(random.below(3), 1U);
}

TEST(Random, UnitIsFromZeroToBelowOne) {
  ScriptedRandom random({0, ~0ULL, 1ULL << 63});
  EXPECT_EQ(random.unit(), 0.0);
  EXPECT_LT(random.unit(), 1.0);
  EXPECT_EQ(random.unit(), 0.5);
}

TEST(Random, UuidIsOfVersionFour) {
  const auto random = seeded_random(7);
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const auto uuid = random->uuid();
    EXPECT_THAT(uuid, ContainsRegex(
                          "^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"));
    seen.insert(uuid);
  }
  EXPECT_EQ(seen.size(), 100U);
}

TEST(Random, SuffixHasNoVowels) {
  const auto random = seeded_random(7);
  EXPECT_THAT(random->suffix(), ContainsRegex("^[bcdfghjklmnpqrstvwxz2456789]{5}$"));
  EXPECT_EQ(random->suffix(10).size(), 10U);
}

}  // namespace
}  // namespace slipway
