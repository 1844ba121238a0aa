#include "experiment/rules.h"

#include <gtest/gtest.h>

namespace slipway::experiment {
namespace {

using namespace std::chrono_literals;

TEST(ExperimentRules, EndsForOneOfFiveReasons) {
  const ExperimentSpec plain{.templates = {{.name = "t"}}, .analyses = {{.name = "a"}}};
  ExperimentSpec required = plain;
  required.analyses = {{.name = "a", .required_for_completion = true},
                       {.name = "b", .required_for_completion = true},
                       {.name = "c"}};
  struct Case {
    std::string_view rule;
    ExperimentSpec spec;
    ExperimentStatus status;
    bool expected;
  };
  using Runs = std::vector<ExperimentAnalysisRunStatus>;
  const Case cases[] = {
      {"nothing said", plain, {}, false},
      {"told", {.terminate = true}, {}, true},
      {"has ended", plain, {.phase = "Successful"}, true},
      {"runs", plain, {.phase = "Running"}, false},
      {"a template failed",
       plain,
       {.template_statuses = {{.name = "t", .status = "Failed"}}},
       true},
      {"a template erred", plain, {.template_statuses = {{.name = "t", .status = "Error"}}}, true},
      {"a template is done",
       plain,
       {.template_statuses = {{.name = "t", .status = "Successful"}}},
       false},
      {"a run failed", plain, {.analysis_runs = Runs{{.name = "a", .phase = "Failed"}}}, true},
      {"a run is inconclusive",
       plain,
       {.analysis_runs = Runs{{.name = "a", .phase = "Inconclusive"}}},
       true},
      {"a run succeeded",
       plain,
       {.analysis_runs = Runs{{.name = "a", .phase = "Successful"}}},
       false},
      {"one of the required",
       required,
       {.analysis_runs = Runs{{.name = "a", .phase = "Successful"}}},
       false},
      {"all required",
       required,
       {.analysis_runs = Runs{{.name = "a", .phase = "Successful"},
                              {.name = "b", .phase = "Successful"},
                              {.name = "c", .phase = "Running"}}},
       true},
  };
  for (const Case& one : cases)
    EXPECT_EQ(is_terminating(one.spec, one.status), one.expected) << one.rule;
}

TEST(ExperimentRules, TimeIsCountedFromWhenAllWasAvailable) {
  const Time start{1'767'225'600s};
  const ExperimentSpec minute{.duration = {"1m"}};
  EXPECT_FALSE(has_passed(minute, {}, start + 1h));
  EXPECT_FALSE(has_passed(minute, {.available_at = start}, start + 60s));
  EXPECT_TRUE(has_passed(minute, {.available_at = start}, start + 61s));
  EXPECT_FALSE(has_passed({}, {.available_at = start}, start + 1h));
  EXPECT_FALSE(has_passed({.duration = {"1 week"}}, {.available_at = start}, start + 1000h));
}

TEST(ExperimentRules, ReplicasGoWithTheEnd) {
  const ExperimentSpec spec{.templates = {{.name = "t"}, {.name = "u", .replicas = 3}}};
  EXPECT_EQ(desired_replicas(spec, {}, spec.templates[0]), 1);
  EXPECT_EQ(desired_replicas(spec, {}, spec.templates[1]), 3);
  const ExperimentStatus done{.template_statuses = {{.name = "u", .status = "Successful"}}};
  EXPECT_EQ(desired_replicas(spec, done, spec.templates[0]), 1);
  EXPECT_EQ(desired_replicas(spec, done, spec.templates[1]), 0);
  EXPECT_EQ(desired_replicas(spec, {.phase = "Error"}, spec.templates[1]), 0);
}

TEST(ExperimentRules, StatusesOfTemplatesHaveAnOrder) {
  const std::string_view order[] = {"Successful", "Running", "Progressing", "Error", "Failed"};
  for (std::size_t i = 0; i < std::size(order); ++i)
    for (std::size_t j = 0; j < std::size(order); ++j)
      EXPECT_EQ(is_template_worse(order[i], order[j]), i > j);
}

}  // namespace
}  // namespace slipway::experiment
