#include "analysis/argo/owner_arguments.h"

#include <gtest/gtest.h>

namespace slipway::analysis {
namespace {

using namespace api::argo;

json::Object rollout() {
  return json::read(R"({
    "metadata": {"name": "test", "labels": {"app": "app", "a.b/c": "dotted"}},
    "spec": {"replicas": 3, "paused": false},
    "status": {"pauseConditions": [{"reason": "test-reason"}]}})")
      ->get_object();
}

TEST(ValueInRollout, FollowsPathsInArgosWords) {
  const struct {
    std::string_view path, value, error;
  } cases[] = {
      {"metadata.name", "test", ""},
      {"metadata.labels.app", "app", ""},
      {"metadata.labels['app']", "app", ""},
      {"metadata.labels['a.b/c']", "dotted", ""},
      {"metadata.labels['none']", "", ""},
      {"spec.replicas", "3", ""},
      {"spec.paused", "false", ""},
      {"status.pauseConditions[0].reason", "test-reason", ""},
      {"status.pauseConditions[blah].reason", "", "invalid index 'blah'"},
      {"status.pauseConditions[12].reason", "", "index 12 out of range"},
      {"status.pauseConditions[0]", "",
       "path status.pauseConditions[0] in rollout must terminate in a primitive value"},
      {"status.nothing.more", "", "invalid path status.nothing.more in rollout"},
      {"spec.nothing", "", "invalid path spec.nothing in rollout"},
  };
  const json::Object object = rollout();
  for (const auto& row : cases) {
    auto value = value_in_rollout(object, row.path);
    EXPECT_EQ(value.has_value(), row.error.empty()) << row.path;
    if (value) {
      EXPECT_EQ(*value, row.value) << row.path;
    } else {
      EXPECT_EQ(value.error().message, row.error);
    }
  }
}

TEST(RolloutArguments, TakesValuesHashesAndFields) {
  const json::Object object = rollout();
  auto args = rollout_arguments(
      {{.name = "plain", .value = "1"},
       {.name = "stable", .value_from = ArgumentValueFrom{.pod_template_hash_value = "Stable"}},
       {.name = "latest", .value_from = ArgumentValueFrom{.pod_template_hash_value = "Latest"}},
       {.name = "name", .value_from = ArgumentValueFrom{.field_ref = FieldRef{"metadata.name"}}}},
      {.rollout = object, .stable_hash = "abc", .latest_hash = "def"});
  ASSERT_TRUE(args) << args.error().text();
  std::vector<std::string> values;
  for (const Argument& argument : *args) values.push_back(*argument.value);
  EXPECT_EQ(values, (std::vector<std::string>{"1", "abc", "def", "test"}));
}

TEST(ExperimentArguments, PutsHashesIntoValues) {
  const lang::Tags tags = {{"templates.canary.podTemplateHash", "abc"}};
  auto args = experiment_arguments(
      {{.name = "hash", .value = "{{ templates.canary.podTemplateHash }}"}, {.name = "declared"}},
      tags);
  ASSERT_TRUE(args);
  EXPECT_EQ((*args)[0].value, "abc");
  EXPECT_FALSE((*args)[1].value);
  auto unknown = experiment_arguments({{.name = "x", .value = "{{ templates.no }}"}}, tags);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "failed to resolve {{ templates.no }}");
}

}  // namespace
}  // namespace slipway::analysis
