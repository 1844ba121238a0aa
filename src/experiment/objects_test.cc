#include "experiment/objects.h"

#include "api/template_hash.h"
#include "experiment/experiment_testing.h"

namespace slipway::experiment {
namespace {

struct ObjectsTest : testing::Test {
  ObjectsTest() {
    const json::Object document = from_yaml(kTwoColours);
    who = identity_of(document);
    experiment = *api::decode<Experiment>(json::Value(document));
  }
  const TemplateSpec& orange() const { return experiment.spec.templates[1]; }
  Identity who;
  Experiment experiment;
};

TEST_F(ObjectsTest, AReplicaSetIsKnownByNameHashAndOwner) {
  const json::Value made(replica_set_of(who, orange(), {}));
  const std::string hash = api::template_hash(orange().template_.value.get_object());
  EXPECT_EQ(api::name_of(made.get_object()), "example-orange");
  EXPECT_EQ(api::controller_of(made.get_object())->uid, "exp-uid");
  EXPECT_EQ(made.at("metadata").at("annotations"),
            (json::Object{{"experiment.argoproj.io/name", "example"},
                          {"experiment.argoproj.io/template-name", "orange"}}));
  const json::Object labels{
      {"app", "demo"}, {"color", "orange"}, {"rollouts-pod-template-hash", hash}};
  EXPECT_EQ(made.at("metadata").at("labels"), labels);
  EXPECT_EQ(made.at("spec").at("selector").at("matchLabels"), labels);
  EXPECT_EQ(made.at("spec").at("template").at("metadata").at("labels"), labels);
  EXPECT_EQ(made.at("spec").at("minReadySeconds"), 10);
  EXPECT_EQ(template_of(made.get_object(), who), "orange");
  Identity other = who;
  other.uid = "other";
  EXPECT_EQ(template_of(made.get_object(), other), "");
}

TEST_F(ObjectsTest, HashesOfARolloutsExperimentAreItsOwn) {
  TemplateSpec baseline = orange(), canary = orange();
  baseline.name = "baseline";
  canary.name = "canary";
  EXPECT_EQ(hash_of(who, baseline, {}), hash_of(who, canary, {})) << "alone, as Argo's";
  who.rollout =
      api::OwnerReference{.api_version = "v", .kind = "Rollout", .name = "guestbook", .uid = "r"};
  const std::string of_rollout = api::template_hash(orange().template_.value.get_object());
  EXPECT_NE(hash_of(who, baseline, {}), of_rollout);
  EXPECT_NE(hash_of(who, baseline, {}), hash_of(who, canary, {}));
  EXPECT_EQ(hash_of(who, baseline, {}), hash_of(who, baseline, {}));
}

TEST_F(ObjectsTest, AnExperimentOfARolloutIsKnownByItsController) {
  json::Object owned = from_yaml(kTwoColours);
  api::set_owners(owned, {{.api_version = "argoproj.io/v1alpha1",
                           .kind = "Rollout",
                           .name = "guestbook",
                           .uid = "r",
                           .controller = true}});
  ASSERT_TRUE(identity_of(owned).rollout);
  EXPECT_EQ(identity_of(owned).rollout->name, "guestbook");
  EXPECT_FALSE(who.rollout);
}

TEST_F(ObjectsTest, AServiceHasAllPortsOnceAndNamesWhereTheyAreNeeded) {
  struct Case {
    std::string_view ports, expected;
  };
  const Case cases[] = {
      {"[{containerPort: 80}]", R"([{"protocol":"TCP","port":80,"targetPort":80}])"},
      {"[{name: http, containerPort: 80}, {containerPort: 53, protocol: UDP}, {containerPort: 80}]",
       R"([{"protocol":"TCP","port":80,"targetPort":80,"name":"http"},)"
       R"({"protocol":"UDP","port":53,"targetPort":53,"name":"udp-53"}])"},
      {"[]", ""},
  };
  for (const Case& one : cases) {
    SCOPED_TRACE(one.ports);
    ReplicaSetSeen seen = replica_set_seen(replica_set_of(who, orange(), {}));
    seen.pod_template = from_yaml("spec: {containers: [{name: a, ports: " + std::string(one.ports) +
                                  "}, {name: b}]}");
    const auto made = service_of(who, orange(), seen);
    ASSERT_EQ(made.has_value(), !one.expected.empty());
    if (!made) continue;
    EXPECT_EQ(json::write(made->at("spec").at("ports")), one.expected);
    EXPECT_EQ(made->at("spec").at("selector"), seen.labels);
    EXPECT_EQ(template_of(*made, who), "orange");
  }
}

TEST_F(ObjectsTest, AnotherSelectorIsAnEdit) {
  const ReplicaSetSeen seen = replica_set_seen(replica_set_of(who, orange(), {}));
  EXPECT_FALSE(is_edited(who, orange(), {}, seen));
  TemplateSpec wordy = orange();
  wordy.selector->value.as_object()["matchExpressions"] = json::Array();
  EXPECT_FALSE(is_edited(who, wordy, {}, seen)) << "as nobody stores it";
  TemplateSpec edited = orange();
  edited.selector->value = from_yaml("matchLabels: {app: demo}");
  EXPECT_TRUE(is_edited(who, edited, {}, seen));
}

}  // namespace
}  // namespace slipway::experiment
