#include "api/schema/codec.h"

#include <gtest/gtest.h>

#include "api/kinds/argo_rollout.h"
#include "api/kinds/flagger_metric.h"
#include "api/registry.h"

namespace slipway::api {
namespace {

json::Value parse(std::string_view text) {
  Result<json::Value> value = json::read(text);
  EXPECT_TRUE(value.has_value()) << text;
  return value ? *std::move(value) : json::Value();
}

constexpr std::string_view kRollout = R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout",
"metadata":{"name":"web","labels":{"a.b/c":"d"}},"spec":{"replicas":0,
  "paused":false,"note":"kept",
"selector":{"matchLabels":{"app":"web"}},"template":{"spec":{"containers":[]}},
  "restartAt":null,
"strategy":{"canary":{"steps":[{"setWeight":20,"x":1},{"pause":{"duration":"10m",
  "why":"tea"}},
{"analysis":{"templates":[{"templateName":"t","z":[1,2]}]}}],
  "maxSurge":"25%","canaryMetadata":{}}}},
"status":{"HPAReplicas":2,"conditions":[{"type":"Available","status":"True",
  "lastUpdateTime":"2026-01-02T15:04:05Z",
"lastTransitionTime":"2026-01-02T15:04:05+01:00","reason":"r",
  "message":"m","extra":{}}],"extra":[null]}})";

TEST(Codec, RoundTripLeavesEveryByteAlone) {
  for (const std::string_view text :
       {kRollout,
        std::string_view(
            R"({"spec":{"strategy":{"blueGreen":{"activeService":"a","autoPromotionEnabled":false,
  
"antiAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"future":1}}}},
  "template":null}})")}) {
    json::Value document = parse(text);
    const std::string before = json::write(document);
    const Result<argo::Rollout> view = decode<argo::Rollout>(document);
    ASSERT_TRUE(view) << view.error().text();
    update_into(document.get_object(), *view);
    EXPECT_EQ(json::write(document), before);
  }
}

TEST(Codec, ReadsWhatWasWritten) {
  const Result<argo::Rollout> view = decode<argo::Rollout>(parse(kRollout));
  ASSERT_TRUE(view) << view.error().text();
  const argo::CanaryStrategy& canary = *view->spec.strategy.canary;
  EXPECT_EQ(view->spec.replicas, 0);
  EXPECT_EQ(canary.steps[0].set_weight, 20);
  EXPECT_EQ(canary.steps[1].pause->duration_seconds(), 600);
  EXPECT_EQ(canary.max_surge, IntOrString::of("25%"));
  EXPECT_FALSE(canary.max_unavailable);
  EXPECT_TRUE(canary.canary_metadata);
  EXPECT_EQ(view->status.hpa_replicas, 2);
  EXPECT_EQ(view->status.conditions[0].last_transition_time, *parse_time("2026-01-02T14:04:05Z"));
}

TEST(Codec, ChangesOnlyWhatTheViewChanged) {
  json::Value document = parse(kRollout);
  argo::Rollout view = *decode<argo::Rollout>(document);
  view.spec.paused = true;
  view.spec.strategy.canary->steps.erase(view.spec.strategy.canary->steps.begin());
  view.status.hpa_replicas = 0;
  view.status.conditions.insert(view.status.conditions.begin(),
                                argo::Condition{.type = "Paused", .status = "False"});
  view.status.phase = "Paused";
  update_into(document.get_object(), view);
  EXPECT_EQ(json::write(document.at("spec").at("paused")), "true");
  EXPECT_EQ(document.at("spec").at("note"), "kept");
  EXPECT_FALSE(document.at("status").get_object().contains("HPAReplicas"));
  EXPECT_EQ(document.at("status").at("phase"), "Paused");
  const json::Array& conditions = document.at("status").at("conditions").get_array();
  ASSERT_EQ(conditions.size(), 2u);
  EXPECT_EQ(conditions[0].at("type"), "Paused");
  EXPECT_TRUE(conditions[1].get_object().contains("extra"));  // found again by its merge key
  EXPECT_EQ(json::write(conditions[1].at("lastTransitionTime")), "\"2026-01-02T15:04:05+01:00\"");
}

TEST(Codec, ListsAllThatIsWrongWithItsPath) {
  const Result<argo::Rollout> view = decode<argo::Rollout>(parse(
      R"({"spec":{"replicas":"two","strategy":{"canary":{"steps":[{},{"setWeight":1.5},
  
{"experiment":{"templates":[{"name":"x"}]}}]}},"restartAt":"yesterday"}})"));
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error().code, ErrorCode::kInvalid);
  std::vector<std::string> fields;
  for (const Cause& cause : view.error().causes) fields.push_back(cause.field);
  EXPECT_EQ(fields, (std::vector<std::string>{
                        "spec.replicas", "spec.strategy.canary.steps[1].setWeight",
                        "spec.strategy.canary.steps[2].experiment.templates[0].specRef",
                        "spec.restartAt"}));
  EXPECT_EQ(view.error().where, "spec.replicas");
}

TEST(Codec, RefusesANumberOutsideItsType) {
  EXPECT_FALSE(decode<argo::Rollout>(parse(R"({"spec":{"replicas":2147483648}})")));
  EXPECT_TRUE(decode<argo::Rollout>(parse(R"({"spec":{"replicas":2147483647}})")));
}

TEST(Codec, EncodesRequiredFieldsAlwaysAndOthersWhenThereIsSomethingToSay) {
  argo::TemplateStatus status{.name = "canary"};
  EXPECT_EQ(
      json::write(encode(status)),
      json::write(parse(R"({"name":"canary","replicas":0,"updatedReplicas":0,"readyReplicas":0,
  "availableReplicas":0})")));
  status.collision_count = 0;
  EXPECT_TRUE(encode(status).contains("collisionCount"));
}

TEST(Codec, TextThatIsNoNumberCountsAsZero) {
  EXPECT_EQ(IntOrString::of("12").int_value(), 12);
  EXPECT_EQ(IntOrString::of("{{args.n}}").int_value(), 0);
  EXPECT_EQ(IntOrString::of(7).int_value(), 7);
}

TEST(Codec, SchemaComesFromTheStruct) {
  const std::unique_ptr<Registry> registry = Registry::make();
  const Schema* datadog = registry->schemas().find("io.argoproj.v1alpha1.DatadogMetric");
  ASSERT_NE(datadog, nullptr);
  const Field* version = datadog->find("apiVersion");
  ASSERT_NE(version, nullptr);
  EXPECT_EQ(version->default_value, json::Value("v1"));
  EXPECT_EQ(version->type->enumeration, (std::vector<std::string>{"v1", "v2"}));
  const Schema* spec = registry->schemas().find("io.argoproj.v1alpha1.ExperimentSpec");
  ASSERT_NE(spec, nullptr);
  EXPECT_TRUE(spec->find("templates")->required);
  EXPECT_EQ(spec->find("templates")->patch.merge_key, "name");
  EXPECT_EQ(spec->find("duration")->type->shape, Shape::kString);
  const Schema* variant = registry->schemas().find("io.argoproj.v1alpha1.TemplateSpec");
  EXPECT_EQ(variant->find("template")->type->name, "io.k8s.api.core.v1.PodTemplateSpec");
}

TEST(Codec, HeadersOfAMetricTemplateAreLists) {
  const auto view = decode<flagger::MetricTemplate>(parse(
      R"({"spec":{"query":"q","provider":{"type":"prometheus","headers":{"X-Scope":["a",
  "b"]}}}})"));
  ASSERT_TRUE(view) << view.error().text();
  EXPECT_EQ(view->spec.provider.headers.at("X-Scope"), (std::vector<std::string>{"a", "b"}));
}

}  // namespace
}  // namespace slipway::api
