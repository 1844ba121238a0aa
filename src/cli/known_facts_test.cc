#include "cli/known_facts.h"

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
    for (const auto& [key, known] : known_words.of(cache)) words[key.name] = known.facts;
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
  create_map("a");
  EXPECT_EQ(told().size(), 1u);
  remove(kConfigMaps, {"default", "a"});
  EXPECT_TRUE(told().empty());
}

}  // namespace
}  // namespace slipway::cli
