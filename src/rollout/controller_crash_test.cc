#include <fmt/format.h>
#include <gtest/gtest.h>

#include "rollout/testing/world.h"

namespace slipway::rollout {
namespace {

using namespace std::chrono_literals;

// A status without what depends on when things happened.
void drop_times(json::Value& value) {
  if (value.is_array())
    for (json::Value& one : value.get_array()) drop_times(one);
  if (!value.is_object()) return;
  std::vector<std::string> times;
  for (auto& [key, inner] : value.get_object()) {
    drop_times(inner);
    if (std::string_view(key).ends_with("Time") || std::string_view(key).ends_with("At") ||
        std::string_view(key).ends_with("Seconds"))
      times.emplace_back(key);
  }
  for (const std::string& key : times) json::erase(value.get_object(), key);
}

// Conditions by type: their order is that of their changes.
void sort_conditions(json::Value& status) {
  json::Object by_type;
  for (const json::Value& one : status.at("conditions").as_array())
    by_type[json::string_at(one, {"type"})] = one;
  status.as_object()["conditions"] = std::move(by_type);
}

struct End {
  std::string status = {}, sizes = {};
  std::set<std::string> runs = {}, experiments = {};
  std::size_t sets = 0;
  int writes = 0;
};

// Two whole updates, the first forgotten after the second, in a world of their own, with a death at
// the n-th write.
struct Story : World {
  void TestBody() override {}

  End tell(int deaths_at) {
    create_template("t");
    for (const char* name : {"stable", "canary"}) create_service(name);
    create_rollout(R"({"canary":{"stableService":"stable","canaryService":"canary",
        "analysis":{"templates":[{"templateName":"t"}]},
        "steps":[{"setWeight":25},{"experiment":{"duration":"1m","templates":[
        {"name":"baseline","specRef":"stable"}]}},{"analysis":{"templates":[{"templateName":"t"}]}},
        {"pause":{"duration":30}},{"setWeight":50}]}})",
                   4, R"(,"revisionHistoryLimit":0)");
    start();
    life->store.dies_at = deaths_at - 1;
    life->store.last_happens = true;
    revive(70s);
    for (const char* image : {"web:v2", "web:v3"}) {
      set_image(image);
      revive(300s);
    }
    End end{.sizes = sizes(), .sets = list(kReplicaSets).size(), .writes = life->store.writes};
    json::Value status = *json::at(rollout(), {"status"});
    drop_times(status);
    sort_conditions(status);
    end.status = json::write(status, {.sort_keys = true});
    for (const json::Value& one : list(kAnalysisRuns))
      end.runs.emplace(api::name_of(one.get_object()));
    for (const json::Value& one : list(kExperiments))
      end.experiments.emplace(api::name_of(one.get_object()));
    return end;
  }
  void revive(Duration time) {
    for (Duration past = {}; past < time; past += 1s) {
      wait(1s);
      if (life->store.dead()) restart();
    }
  }
};

TEST(Crash, AtAnyWriteLeadsToTheSameEnd) {
  const End whole = [] { return Story().tell(-1); }();
  EXPECT_NE(whole.status.find("\"phase\":\"Healthy\""), std::string::npos) << whole.status;
  EXPECT_EQ(whole.sizes, "v3:4/4");
  EXPECT_EQ(whole.runs.size(), 2U);
  EXPECT_EQ(whole.experiments.size(), 1U);
  ASSERT_GT(whole.writes, 20);
  for (int at = 1; at <= whole.writes; ++at) {
    SCOPED_TRACE("killed at write " + std::to_string(at));
    const End end = Story().tell(at);
    EXPECT_EQ(end.status, whole.status);
    EXPECT_EQ(end.sizes, whole.sizes);
    EXPECT_EQ(end.sets, whole.sets);
    EXPECT_EQ(end.runs, whole.runs);
    EXPECT_EQ(end.experiments, whole.experiments);
  }
}

// An update whose one step is this; it is aborted, the program dies at the n-th write of that, and
// the abort is taken back before the program comes again.
struct TakenBack : World {
  void TestBody() override {}

  void play(const std::string& step, int dies_at) {
    experiments.takes = runs.takes = 60s;
    create_template("t");
    create_rollout(R"({"canary":{"steps":[)" + step + "]}}");
    start();
    wait(20s);
    set_image("web:v2");
    wait(20s);
    life->store.dies_at = life->store.writes + dies_at;
    life->store.last_happens = true;
    patch_status(R"({"status":{"abort":true}})");
    wait(1s);
    patch_status(R"({"status":{"abort":false}})");
    restart();
    wait(200s);
  }
};

TEST(Crash, WhatWasToldToEndIsNoVerdict) {
  const std::pair<const char*, const api::Gvr*> kSteps[] = {
      {R"({"experiment":{"templates":[{"name":"baseline","specRef":"stable"}]}})", &kExperiments},
      {R"({"analysis":{"templates":[{"templateName":"t"}]}})", &kAnalysisRuns}};
  for (const auto& [step, kind] : kSteps) {
    for (int dies_at = 0; dies_at < 4; ++dies_at) {
      SCOPED_TRACE(fmt::format("{}, killed at write {}", kind->resource, dies_at));
      TakenBack story;
      story.play(step, dies_at);
      EXPECT_EQ(story.phase(), "Healthy");
      const auto children = story.list(*kind);
      EXPECT_TRUE(std::ranges::any_of(
          children, [](const json::Value& child) { return !read_child(child).is_terminated; }))
          << "nothing of the " << children.size() << " ran to its end";
    }
  }
}

}  // namespace
}  // namespace slipway::rollout
