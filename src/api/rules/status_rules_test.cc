#include <gtest/gtest.h>

#include "api/admit.h"
#include "api/object.h"
#include "api/rules/admit_testing.h"

// Statuses as controllers write them, and the words of kube-apiserver 1.34 for those it refuses.
namespace slipway::api {
namespace {

// The findings about an object that is there, has the status `before` and is given `now`.
Lines change(std::string_view kind, std::string_view spec, std::string_view before,
             std::string_view now, bool deleting = false) {
  static const std::unique_ptr<Registry> registry = Registry::make();
  json::Object old = parse(kind);
  const std::shared_ptr<const Resource> resource = registry->find(gvk_of(old));
  EXPECT_NE(resource, nullptr) << kind;
  json::Object& metadata = metadata_of(old);
  metadata["name"] = "x";
  metadata["uid"] = "7281196f-737f-4623-b632-6f12cbf28286";
  if (resource->namespaced) metadata["namespace"] = "default";
  if (!spec.empty()) old["spec"] = parse(spec);
  std::vector<std::string> warnings;
  const Result<> made = admit(old, nullptr, *resource, Unknown::kIgnore, {}, warnings);
  EXPECT_TRUE(made) << made.error().text();
  if (deleting) metadata_of(old)["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  if (!before.empty()) old["status"] = parse(before);
  json::Object object = old;
  object["status"] = parse(now);
  return findings_of(admit(object, &old, *resource, Unknown::kStrict, {}, warnings));
}

constexpr std::string_view kTemplate = R"({"selector":{"matchLabels":{"a":"b"}},
"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[{"name":"c","image":"i"}]}}})";
constexpr std::string_view kDeployment = R"({"apiVersion":"apps/v1","kind":"Deployment"})";
constexpr std::string_view kReplicaSet = R"({"apiVersion":"apps/v1","kind":"ReplicaSet"})";

Lines deployment(std::string_view now, std::string_view before = "{}") {
  return change(kDeployment, kTemplate, before, now);
}

TEST(DeploymentStatus, CountsAreNotNegative) {
  EXPECT_EQ(
      deployment(R"({"unavailableReplicas":-1,"observedGeneration":-2})"),
      (Lines{"status.observedGeneration: Invalid value: -2: must be greater than or equal to "
             "0",
             "status.unavailableReplicas: Invalid value: -1: must be greater than or equal to "
             "0"}));
  // What is not written is 0, and that is more than -1.
  EXPECT_EQ(deployment(R"({"replicas":-1})"),
            (Lines{"status.replicas: Invalid value: -1: must be greater than or equal to 0",
                   "status.updatedReplicas: Invalid value: 0: cannot be greater than "
                   "status.replicas",
                   "status.readyReplicas: Invalid value: 0: cannot be greater than status.replicas",
                   "status.availableReplicas: Invalid value: 0: cannot be greater than "
                   "status.replicas"}));
}

TEST(DeploymentStatus, PartsAreNotMoreThanTheWhole) {
  EXPECT_EQ(deployment(R"({"replicas":3,"updatedReplicas":3,"readyReplicas":3,
"availableReplicas":3})"),
            Lines{});
  EXPECT_EQ(deployment(R"({"replicas":3,"updatedReplicas":4})"),
            Lines{"status.updatedReplicas: Invalid value: 4: cannot be greater than "
                  "status.replicas"});
  EXPECT_EQ(deployment(R"({"replicas":3,"readyReplicas":1,"availableReplicas":2})"),
            Lines{"status.availableReplicas: Invalid value: 2: cannot be greater than "
                  "readyReplicas"});
}

TEST(DeploymentStatus, CollisionsAreNotForgotten) {
  constexpr std::string_view before = R"({"collisionCount":2})";
  EXPECT_EQ(deployment(R"({"collisionCount":3})", before), Lines{});
  EXPECT_EQ(deployment(R"({"collisionCount":1})", before),
            Lines{"status.collisionCount: Invalid value: 1: cannot be decremented"});
  EXPECT_EQ(deployment("{}", before),
            Lines{"status.collisionCount: Invalid value: 0: cannot be decremented"});
}

TEST(DeploymentStatus, ThatIsAlreadyWrongMayStay) {
  constexpr std::string_view wrong = R"({"replicas":-1})";
  EXPECT_EQ(deployment(wrong, wrong), Lines{});
}

TEST(ReplicaSetStatus, PartsAreNotMoreThanTheWhole) {
  auto replica_set = [](std::string_view now) { return change(kReplicaSet, kTemplate, "{}", now); };
  EXPECT_EQ(replica_set(R"({"replicas":2,"fullyLabeledReplicas":2,"readyReplicas":2,
"availableReplicas":1})"),
            Lines{});
  EXPECT_EQ(
      replica_set(R"({"replicas":2,"fullyLabeledReplicas":3,"readyReplicas":-1})"),
      (Lines{"status.readyReplicas: Invalid value: -1: must be greater than or equal to 0",
             "status.fullyLabeledReplicas: Invalid value: 3: cannot be greater than "
             "status.replicas",
             "status.availableReplicas: Invalid value: 0: cannot be greater than readyReplicas"}));
}

TEST(NamespaceStatus, SaysTerminatingWhenItIsDeleted) {
  constexpr std::string_view kind = R"({"apiVersion":"v1","kind":"Namespace"})";
  EXPECT_EQ(change(kind, "", "", R"({"phase":"Terminating"})"),
            Lines{"status.Phase: Invalid value: \"Terminating\": may only be 'Active' if "
                  "`deletionTimestamp` is empty"});
  constexpr std::string_view terminating = R"({"phase":"Terminating"})";
  EXPECT_EQ(change(kind, "", terminating, R"({"phase":"Active"})", true),
            Lines{"status.Phase: Invalid value: \"Active\": may only be 'Terminating' if "
                  "`deletionTimestamp` is not empty"});
  EXPECT_EQ(change(kind, "", terminating,
                   R"({"phase":"Terminating","conditions":[{"type":"A","status":"True"}]})", true),
            Lines{});
}

Lines pod(std::string_view policy, std::string_view before, std::string_view now) {
  const std::string spec =
      R"({"restartPolicy":")" + std::string(policy) +
      R"(","initContainers":[{"name":"side","image":"i","restartPolicy":"Always"},
{"name":"init","image":"i"}],"containers":[{"name":"c","image":"i"}]})";
  return change(R"({"apiVersion":"v1","kind":"Pod"})", spec, before, now);
}

TEST(PodStatus, AContainerThatHasEndedForGoodStaysEnded) {
  constexpr std::string_view kRunning =
      R"({"containerStatuses":[{"name":"c","image":"","imageID":"",
"ready":false,"restartCount":0,"state":{"running":{}}}]})";
  auto ended = [](int code) {
    return R"({"containerStatuses":[{"name":"c","state":{"terminated":{"exitCode":)" +
           std::to_string(code) + "}}}]}";
  };
  const Lines refused{
      "status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated "
      "state"};
  EXPECT_EQ(pod("Never", ended(1), kRunning), refused);
  EXPECT_EQ(pod("OnFailure", ended(0), kRunning), refused);
  EXPECT_EQ(pod("OnFailure", ended(1), kRunning), Lines{});
  EXPECT_EQ(pod("Always", ended(0), kRunning), Lines{});
  EXPECT_EQ(pod("Never", kRunning, ended(1)), Lines{});
}

TEST(PodStatus, OfInitContainersOnlySidecarsRunAgain) {
  constexpr std::string_view before = R"({"initContainerStatuses":[
{"name":"side","state":{"terminated":{"exitCode":0}}},
{"name":"init","state":{"terminated":{"exitCode":0}}}]})";
  constexpr std::string_view now = R"({"initContainerStatuses":[
{"name":"init","state":{"running":{}}},{"name":"side","state":{"running":{}}}]})";
  EXPECT_EQ(pod("Never", before, now),
            Lines{"status.initContainerStatuses[1].state: Forbidden: may not be transitioned to "
                  "non-terminated state"});
}

TEST(PodStatus, KeepsItsServiceClass) {
  constexpr std::string_view before = R"({"qosClass":"BestEffort"})";
  EXPECT_EQ(pod("Never", before, R"({"phase":"Running"})"), Lines{});
  EXPECT_EQ(pod("Never", before, "{}"), Lines{});
  EXPECT_EQ(pod("Never", before, R"({"qosClass":"Burstable"})"),
            Lines{"status.qosClass: Invalid value: \"Burstable\": field is immutable"});
}

TEST(PodStatus, HoldsAddressesAndNamesThatAreSome) {
  EXPECT_EQ(pod("Never", "{}", R"({"podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"}],
"conditions":[{"type":"Ready","status":"True"},{"type":"example.com/x","status":"True"}]})"),
            Lines{});
  EXPECT_EQ(pod("Never", "{}", R"({"podIPs":[{"ip":"x"}]})"),
            Lines{"status.podIPs[0]: Invalid value: \"x\": must be a valid IP address, (e.g. "
                  "10.9.8.7 or 2001:db8::ffff)"});
  EXPECT_EQ(pod("Never", R"({"podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"}]})",
                R"({"podIP":"x","podIPs":[{"ip":"10.0.0.1"}]})"),
            Lines{"status.podIPs[0]: Invalid value: \"x\": must be a valid IP address, (e.g. "
                  "10.9.8.7 or 2001:db8::ffff)"});
  EXPECT_EQ(pod("Never", "{}", R"({"podIP":":"})"),
            Lines{"status.podIPs[0]: Invalid value: \":\": must be a valid IP address, (e.g. "
                  "10.9.8.7 or 2001:db8::ffff)"});
  EXPECT_EQ(pod("Never", "{}", R"({"podIP":"2001:db8::1"})"), Lines{});
  EXPECT_EQ(pod("Never", "{}", R"({"hostIP":"10.0.0.1","hostIPs":[{"ip":"10.0.0.2"}]})"),
            Lines{"status.hostIPs[0].ip: Invalid value: \"10.0.0.2\": must be equal to `hostIP`"});
  EXPECT_EQ(pod("Never", "{}", R"({"observedGeneration":-1})"),
            Lines{"status.observedGeneration: Invalid value: -1: must be a non-negative integer"});
  const Lines named = pod("Never", "{}", R"({"conditions":[{"type":"a b","status":"True"}]})");
  ASSERT_EQ(named.size(), 1u);
  EXPECT_TRUE(named[0].starts_with("status.conditions[0].Type: Invalid value: \"a b\": name part"))
      << named[0];
}

}  // namespace
}  // namespace slipway::api
