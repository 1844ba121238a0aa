#include "runtime/workloads/replica_set.h"

#include <gtest/gtest.h>

#include "runtime/workloads/pod_writer.h"
#include "runtime/workloads/testing/workload_fixture.h"

namespace slipway::runtime {
namespace {

const Time kNow(100000s);

std::vector<const PodView*> pointers(const std::vector<PodView>& pods) {
  std::vector<const PodView*> all;
  for (const PodView& pod : pods) all.push_back(&pod);
  return all;
}

TEST(ReplicaSet, MakesWhatIsMissingAndDeletesWhatIsTooMany) {
  struct Case {
    std::int64_t wanted;
    std::size_t there;
    bool deleting;
    int create;
    std::size_t remove;
  };
  for (const Case& c :
       {Case{3, 0, false, 3, 0}, Case{3, 3, false, 0, 0}, Case{1, 3, false, 0, 2},
        Case{0, 2, false, 0, 2}, Case{3, 1, true, 0, 0}, Case{0, 1, true, 0, 0},
        Case{2000, 0, false, kMaxPodsAtOnce, 0}, Case{0, 600, false, 0, kMaxPodsAtOnce}}) {
    const std::vector<PodView> pods(c.there);
    const ReplicaPlan plan = decide_replicas(
        {.claimant = {.deleting = c.deleting}, .replicas = c.wanted}, pointers(pods), kNow);
    EXPECT_EQ(plan.create, c.create) << c.wanted << " of " << c.there;
    EXPECT_EQ(plan.remove.size(), c.remove) << c.wanted << " of " << c.there;
  }
}

TEST(ReplicaSet, CountsReadyAndAvailableAndTellsWhenToLookAgain) {
  const ReplicaSetView set{
      .replicas = 4, .min_ready = 30s, .template_labels = {{"a", "1"}, {"b", "2"}}};
  const api::Labels full{{"a", "1"}, {"b", "2"}, {"c", "3"}};
  const std::vector<PodView> pods{
      {.labels = full, .ready = true, .ready_changed = kNow - 40s},
      {.labels = full, .ready = true, .ready_changed = kNow - 20s},
      {.labels = {{"a", "1"}}, .ready = true, .ready_changed = kNow - 5s},
      {.labels = full, .ready = false, .ready_changed = kNow - 50s}};
  const ReplicaCounts counts = count_replicas(set, pointers(pods), kNow);
  EXPECT_EQ(
      counts,
      (ReplicaCounts{.replicas = 4, .fully_labeled = 3, .ready = 3, .available = 1, .again = 10s}));
  EXPECT_EQ(count_replicas({.replicas = 4}, pointers(pods), kNow).again, std::nullopt);
}

TEST(ReplicaSet, AFailureIsSaidOnceAndTakenBack) {
  json::Object set = *json::read(R"({"metadata":{"name":"web","generation":4},
      "status":{"replicas":9,"readyReplicas":9}})")
                          ->if_object();
  const ReplicaSetView view{.replicas = 3, .generation = 4};
  const auto decide = [&](const ReplicaCounts& counts, std::optional<Error> failure, Time at) {
    set["status"] = decide_replica_set_status(set, view, counts, failure, at);
    return json::write(set["status"], {.sort_keys = true});
  };
  const Error full{.code = ErrorCode::kNoSpace, .message = "disk full"};
  const std::string failed = decide({.replicas = 1}, full, Time(60s));
  EXPECT_EQ(failed, R"({"conditions":[{"lastTransitionTime":"1970-01-01T00:01:00Z",)"
                    R"("message":"disk full","reason":"FailedCreate","status":"True",)"
                    R"("type":"ReplicaFailure"}],"observedGeneration":4,"replicas":1})");
  EXPECT_EQ(decide({.replicas = 1}, Error{.message = "other words"}, Time(90s)), failed);
  EXPECT_EQ(decide({.replicas = 1}, {}, Time(120s)), R"({"observedGeneration":4,"replicas":1})");
  EXPECT_NE(decide({.replicas = 5}, full, Time(150s)).find("FailedDelete"), std::string::npos);
}

TEST(Claims, TakesOrphansThatMatchAndLetsGoOfOwnThatDoNot) {
  const api::LabelSelector web = *api::parse_label_selector("app=web");
  struct Case {
    std::string_view owner, app;
    bool pod_deleting, set_deleting;
    std::string_view outcome;
  };
  for (const Case& c :
       {Case{"us", "web", false, false, "owned"}, Case{"us", "web", false, true, "owned"},
        Case{"us", "db", false, false, "release"}, Case{"us", "db", false, true, ""},
        Case{"them", "web", false, false, ""}, Case{"", "web", false, false, "adopt"},
        Case{"", "web", true, false, ""}, Case{"", "web", false, true, ""},
        Case{"", "db", false, false, ""}}) {
    const PodView pod{.controller_uid = std::string(c.owner),
                      .labels = {{"app", std::string(c.app)}},
                      .deleting = c.pod_deleting};
    const Claims claims =
        decide_claims({.uid = "us", .deleting = c.set_deleting, .selector = web}, {&pod});
    const std::string_view outcome = !claims.owned.empty()     ? "owned"
                                     : !claims.adopt.empty()   ? "adopt"
                                     : !claims.release.empty() ? "release"
                                                               : "";
    EXPECT_EQ(outcome, c.outcome) << c.owner << " " << c.app;
  }
}

TEST(PodTemplate, BecomesAPodOfItsOwner) {
  json::Object owner = replica_set("web", 1);
  api::metadata_of(owner)["uid"] = "u1";
  owner["spec"].get_object()["template"] =
      *json::read(R"({"metadata":{"name":"ignored","labels":{"a":"1"},"annotations":{"b":"2"},
                      "finalizers":["f/g"]},"spec":{"containers":[]}})");
  const json::Object pod = pod_from_template(owner);
  EXPECT_TRUE(json::same(pod, *json::read(R"({"apiVersion":"v1","kind":"Pod","metadata":{
      "generateName":"web-","labels":{"a":"1"},"annotations":{"b":"2"},"finalizers":["f/g"],
      "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"u1",
                          "controller":true,"blockOwnerDeletion":true}]},
      "spec":{"containers":[]}})")))
      << json::write(pod);
}

}  // namespace
}  // namespace slipway::runtime
