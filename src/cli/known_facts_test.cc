#include "cli/known_facts.h"

#include <optional>

#include "control/testing/store_fixture.h"

namespace slipway::cli {
namespace {

using namespace std::chrono_literals;

int reads = 0;

std::string read_word(const json::Value& map) {
  ++reads;
  return std::string(json::string_at(map, {"data", "word"}));
}

class KnownFactsTest : public control::StoreFixture {
 protected:
  KnownFactsTest() {
    reads = 0;
    cache.start();
  }
  ~KnownFactsTest() override { run_to_end(*loop, cache.stop()); }

  std::map<std::string, std::string> told() {
    loop->run_for(1ms);
    std::map<std::string, std::string> words;
    std::optional<store::Key> last;
    do {
      auto page = known_words.after(last ? &*last : nullptr, 2, cache);
      for (const auto* one : page.entries) words[one->first.name] = one->second.facts;
      last = std::move(page.last);
    } while (last);
    return words;
  }
  void say(const std::string& name, const std::string& word) {
    const store::Patch patch{.body = json::Object{{"data", json::Object{{"word", word}}}}};
    ASSERT_TRUE(run_to_end(*loop, store->patch(kConfigMaps, {"default", name}, patch, {})));
  }

  control::Cache cache{*loop, *store, kConfigMaps};
  KnownFacts<std::string> known_words{read_word};
};

TEST_F(KnownFactsTest, OnlyWhatHasChangedIsReadAgain) {
  for (const auto* name : {"a", "b", "c"}) create_map(name);
  EXPECT_EQ(told().size(), 3u);
  EXPECT_EQ(reads, 3);
  say("b", "hello");
  EXPECT_EQ(told(), (std::map<std::string, std::string>{{"a", ""}, {"b", "hello"}, {"c", ""}}));
  EXPECT_EQ(reads, 4);
}

TEST_F(KnownFactsTest, WhatHasGoneIsForgotten) {
  for (const auto* name : {"a", "b", "c", "d", "e"}) create_map(name);
  EXPECT_EQ(told().size(), 5u);
  for (const auto* name : {"a", "c", "e"}) remove(kConfigMaps, {"default", name});
  EXPECT_EQ(told(), (std::map<std::string, std::string>{{"b", ""}, {"d", ""}}));
  for (const auto* name : {"b", "d"}) remove(kConfigMaps, {"default", name});
  EXPECT_TRUE(told().empty());
  EXPECT_EQ(reads, 5);
}

}  // namespace
}  // namespace slipway::cli
