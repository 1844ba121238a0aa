#include "cli/rollout_metrics.h"

#include <fmt/format.h>

#include "control/testing/store_fixture.h"
#include "rollout/controller.h"

namespace slipway::cli {
namespace {

using namespace std::chrono_literals;
constexpr std::size_t kMany = 2 * RolloutMetrics::kObjectsInPart + 1;

class RolloutMetricsTest : public control::StoreFixture {
 protected:
  RolloutMetricsTest() {
    manager.cache(rollout::kRollouts);
    manager.start();
  }
  ~RolloutMetricsTest() override { run_to_end(*loop, manager.stop()); }

  void create_rollout(std::size_t number) {
    const std::string name = fmt::format("r{:04}", number);
    const json::Value labels = json::Object{{"app", name}};
    const json::Value container = json::Object{{"name", "c"}, {"image", "i"}};
    create(rollout::kRollouts, "default",
           {{"apiVersion", "argoproj.io/v1alpha1"},
            {"kind", "Rollout"},
            {"metadata", json::Object{{"name", name}}},
            {"spec",
             json::Object{
                 {"selector", json::Object{{"matchLabels", labels}}},
                 {"strategy", json::Object{{"canary", json::Object()}}},
                 {"template",
                  json::Object{{"metadata", json::Object{{"labels", labels}}},
                               {"spec", json::Object{{"containers", json::Array{container}}}}}}}}});
    done.begin_look({"default", name});
    loop->run_for(1ms);
  }
  static std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
    return found;
  }

  control::Manager manager{*loop, *store, *registry};
  control::Tally done{loop->clock()}, none{loop->clock()};
  rollout::UpdateTimes times;
  RolloutMetrics metrics{
      {.manager = manager, .rollouts_done = done, .experiments_done = none, .update_times = times}};
};

TEST_F(RolloutMetricsTest, EverySeriesIsToldOnceHoweverManyThereAre) {
  for (std::size_t i = 0; i < kMany; ++i) create_rollout(i);
  std::string text;
  RolloutMetrics::Place place;
  std::size_t parts = 1;
  for (std::size_t before = 0; metrics.write(place, text); before = text.size(), ++parts)
    EXPECT_LE(count(std::string_view(text).substr(before), "\nrollout_info{"),
              RolloutMetrics::kObjectsInPart);
  EXPECT_GE(parts, 3 * 7);
  for (const auto* family : {"rollout_info", "rollout_info_replicas_desired", "rollout_reconcile"})
    EXPECT_EQ(count(text, fmt::format("# TYPE {} ", family)), 1u) << family;
  for (std::size_t i = 0; i < kMany; ++i) {
    const std::string labels = fmt::format(R"({{namespace="default",name="r{:04}")", i);
    EXPECT_EQ(count(text, "rollout_info" + labels), 1u) << labels;
    EXPECT_EQ(count(text, "rollout_info_replicas_updated" + labels), 1u) << labels;
    EXPECT_EQ(count(text, "rollout_reconcile_count" + labels), 1u) << labels;
    EXPECT_EQ(count(text, "rollout_reconcile_error" + labels), 1u) << labels;
  }
  EXPECT_EQ(count(text, "experiment_"), 0u);
}

TEST_F(RolloutMetricsTest, AFamilyBeginsWithTheFirstThatHasASample) {
  for (std::size_t i = 0; i < kMany; ++i) create_rollout(i);
  done.count_event({"default", fmt::format("r{:04}", kMany - 1)}, control::EventKind::kWarning,
                   "Late");
  std::string text;
  RolloutMetrics::Place place;
  while (metrics.write(place, text)) continue;
  EXPECT_EQ(count(text, "# TYPE rollout_events_total counter\nrollout_events_total{"), 1u);
}

}  // namespace
}  // namespace slipway::cli
