#include <gtest/gtest.h>

#include "api/admit.h"
#include "api/object.h"
#include "api/rules/admit_testing.h"

// What an update may change. The words are those of kube-apiserver 1.34's answers to the same
// patches.
namespace slipway::api {
namespace {

const Registry& registry() {
  static const std::unique_ptr<Registry> kinds = Registry::make();
  return *kinds;
}

Result<> admit_over(json::Object& object, const json::Object* old) {
  const std::shared_ptr<const Resource> resource = registry().find(gvk_of(object));
  EXPECT_NE(resource, nullptr);
  metadata_of(object)["uid"] = "7281196f-737f-4623-b632-6f12cbf28286";
  if (resource->namespaced) metadata_of(object)["namespace"] = "default";
  std::vector<std::string> warnings;
  return admit(object, old, *resource, Unknown::kIgnore, {}, warnings);
}

json::Object created(std::string_view text) {
  json::Object object = parse(text);
  const Result<> admitted = admit_over(object, nullptr);
  EXPECT_TRUE(admitted) << admitted.error().text();
  return object;
}

// The findings of changing `path` of a new object to `value`; null removes it.
Lines change(std::string_view text, std::initializer_list<std::string_view> parents,
             std::string_view field, const json::Value& value) {
  const json::Object old = created(text);
  json::Value now = old;
  json::Object& target = json::object_at(now, parents);
  if (value.is_null())
    json::erase(target, field);
  else
    target[field] = value;
  return findings_of(admit_over(now.get_object(), &old));
}

constexpr std::string_view kPod =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},
"spec":{"activeDeadlineSeconds":5,"containers":[{"name":"web",
"image":"nginx"}]}})";
constexpr std::string_view kJob =
    R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"j"},
"spec":{"template":{"spec":{"restartPolicy":"Never",
"containers":[{"name":"web","image":"nginx"}]}}}})";
constexpr std::string_view kService =
    R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},
"spec":{"clusterIP":"10.0.0.7","ports":[{"port":80}]}})";
constexpr std::string_view kLocked =
    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},
"immutable":true,"data":{"a":"b"}})";
constexpr std::string_view kRollout =
    R"({"apiVersion":"argoproj.io/v1alpha1","kind":"Rollout",
"metadata":{"name":"r"},"spec":{"selector":{"matchLabels":{"app":"web"}},
"strategy":{"canary":{}}}})";

TEST(Update, TolerationsOfAPodStayButForTheirTime) {
  json::Object old = created(kPod);
  json::Array& all = old["spec"].as_object()["tolerations"].as_array();
  for (int i = 0; i < 3000; ++i)
    all.push_back(json::Object{{"key", "k" + std::to_string(i)}, {"operator", "Exists"}});
  const auto changed = [&](auto change) {
    json::Object now = old;
    change(now["spec"].as_object()["tolerations"].as_array());
    return findings_of(admit_over(now, &old));
  };
  EXPECT_EQ(changed([](json::Array&) {}), Lines{});
  EXPECT_EQ(changed([](json::Array& list) { list[0].as_object()["tolerationSeconds"] = 7; }),
            Lines{});
  EXPECT_EQ(changed([](json::Array& list) {
              list.push_back(json::Object{{"key", "new"}, {"operator", "Exists"}});
            }),
            Lines{});
  const Lines forbidden{
      "spec.tolerations: Forbidden: existing toleration can not be modified except its "
      "tolerationSeconds"};
  EXPECT_EQ(changed([](json::Array& list) { list.pop_back(); }), forbidden);
  EXPECT_EQ(changed([](json::Array& list) { list[5].as_object()["effect"] = "NoSchedule"; }),
            forbidden);
}

TEST(Update, SelectorsStay) {
  constexpr std::string_view deployment =
      R"({"apiVersion":"apps/v1","kind":"Deployment",
"metadata":{"name":"d"},"spec":{"selector":{"matchExpressions":[{"key":"app",
"operator":"Exists"}]},"template":{"metadata":{"labels":{"app":"web"}},
"spec":{"containers":[{"name":"web","image":"nginx"}]}}}})";
  EXPECT_EQ(
      change(deployment, {"spec"}, "selector", parse(R"({"matchLabels":{"app":"web"}})")),
      Lines{R"(spec.selector: Invalid value: {"matchLabels":{"app":"web"}}: field is immutable)"});
  EXPECT_EQ(change(deployment, {"spec"}, "replicas", 3), Lines{});
  EXPECT_EQ(change(kRollout, {"spec"}, "selector", parse(R"({"matchLabels":{"app":"z"}})")),
            Lines{"spec.selector: Invalid value: \"object\": .spec.selector is immutable"});
}

TEST(Update, JobsKeepWhatTheyRun) {
  EXPECT_EQ(change(kJob, {"spec"}, "completions", 5),
            Lines{"spec.completions: Invalid value: 5: field is immutable"});
  EXPECT_EQ(change(kJob, {"spec"}, "completionMode", "Indexed"),
            Lines{"spec.completionMode: Invalid value: \"Indexed\": field is immutable"});
  EXPECT_EQ(change(kJob, {"spec"}, "parallelism", 5), Lines{});
}

TEST(Update, SecretsKeepTheirType) {
  EXPECT_EQ(
      change(R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}})", {}, "type", "x"),
      Lines{"type: Invalid value: \"x\": field is immutable"});
}

TEST(Update, ImmutableConfigMapsStayImmutable) {
  EXPECT_EQ(change(kLocked, {"data"}, "a", "c"),
            Lines{"data: Forbidden: field is immutable when `immutable` is set"});
  EXPECT_EQ(change(kLocked, {}, "immutable", false),
            Lines{"immutable: Forbidden: field is immutable when `immutable` is set"});
  EXPECT_EQ(change(kLocked, {"metadata", "labels"}, "x", "z"), Lines{});
}

TEST(Update, ServicesKeepTheirAddress) {
  EXPECT_EQ(change(kService, {"spec"}, "clusterIP", "10.0.0.77"),
            Lines{"spec.clusterIPs[0]: Invalid value: [\"10.0.0.77\"]: may not change once set"});
  const json::Object old = created(kService);
  json::Object now = parse(R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},
"spec":{"ports":[{"port":81}]}})");
  ASSERT_TRUE(admit_over(now, &old));
  EXPECT_EQ(now.at("spec").at("clusterIP"), "10.0.0.7");
  EXPECT_EQ(json::write(now.at("spec").at("clusterIPs")), "[\"10.0.0.7\"]");
}

TEST(Update, OfAPodSpecOnlyAFewFieldsChange) {
  const Lines dns = change(kPod, {"spec"}, "dnsPolicy", "Default");
  ASSERT_EQ(dns.size(), 1u);
  EXPECT_TRUE(
      dns[0].starts_with("spec: Forbidden: pod updates may not change fields other than "
                         "`spec.containers[*].image`,`spec.initContainers[*].image`,"))
      << dns[0];
  EXPECT_EQ(change(kPod, {"spec"}, "activeDeadlineSeconds", 6),
            Lines{"spec.activeDeadlineSeconds: Invalid value: 6: must be less than or equal to "
                  "previous value"});
  EXPECT_EQ(change(kPod, {"spec"}, "activeDeadlineSeconds", 4), Lines{});
  EXPECT_EQ(change(kPod, {"spec"}, "tolerations", json::Array{}), Lines{});
  EXPECT_EQ(change(kPod, {"spec"}, "containers", nullptr),
            (Lines{"spec.containers: Required value",
                   "spec.containers: Forbidden: pod updates may not add or remove containers"}));
  EXPECT_EQ(
      change(kPod, {"spec"}, "containers",
             json::Array{parse(R"({"name":"web","image":"nginx:2","imagePullPolicy":"Always"})")}),
      Lines{});
}

// Where nothing changed there is nothing to refuse, though no manifest has what the server added.
TEST(Update, APodMayBeWrittenAnewFromItsManifest) {
  json::Object old = created(kPod);
  old["spec"].as_object()["nodeName"] = "slipway";
  old["spec"].as_object()["priority"] = 7;
  json::Object now = parse(kPod);
  EXPECT_EQ(findings_of(admit_over(now, &old)), Lines{});
  EXPECT_TRUE(json::same(now.at("spec"), old.at("spec"))) << json::write(now.at("spec"));
  now = parse(kPod);
  now["spec"].as_object()["priority"] = 0;
  EXPECT_EQ(findings_of(admit_over(now, &old)).size(), 1u);
}

TEST(Update, EndpointSlicesKeepTheirAddressType) {
  EXPECT_EQ(change(R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice",
"metadata":{"name":"e"},"addressType":"IPv4",
"endpoints":[]})",
                   {}, "addressType", "IPv6"),
            Lines{"addressType: Invalid value: \"IPv6\": field is immutable"});
}

TEST(Update, FinalizersOfNativeKindsHaveADomain) {
  const std::string kConfig =
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","namespace":"d"}})";
  const json::Object old = created(kConfig);
  for (const auto& [name, refused] :
       {std::pair{"bad", true}, {"example.com/fine", false}, {"foregroundDeletion", false}}) {
    json::Object now = parse(kConfig);
    set_finalizers(now, {name});
    const auto result = admit_over(now, &old);
    ASSERT_EQ(!result.has_value(), refused) << name;
    if (refused)
      EXPECT_NE(result.error().message.find("nor is it fully qualified"), std::string::npos);
  }
}

TEST(Create, ANamespaceKeepsItsFinalizersBesideItsOwn) {
  const auto made = created(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"},
"spec":{"finalizers":["example.com/x"]}})");
  EXPECT_EQ(json::write(made.at("spec")), R"({"finalizers":["example.com/x","kubernetes"]})");
  json::Object bad = parse(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"},
"spec":{"finalizers":["bad"]}})");
  const auto refused = admit_over(bad, nullptr);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find(
                "spec.finalizers: Invalid value: \"bad\": name is neither a standard"),
            std::string::npos)
      << refused.error().message;
}

TEST(Update, ANamespaceLosesItsFinalizerOnlyWhenToldTo) {
  const json::Object old =
      created(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"}})");
  json::Object silent = parse(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"}})");
  ASSERT_TRUE(admit_over(silent, &old));
  EXPECT_EQ(json::write(silent.at("spec")), R"({"finalizers":["kubernetes"]})");
  json::Object told = parse(
      R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"},
"spec":{"finalizers":[]}})");
  ASSERT_TRUE(admit_over(told, &old));
  EXPECT_FALSE(told.at("spec").get_object().contains("finalizers"));
}

}  // namespace
}  // namespace slipway::api
