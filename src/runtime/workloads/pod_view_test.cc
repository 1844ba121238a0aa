#include "runtime/workloads/pod_view.h"

#include <gtest/gtest.h>

namespace slipway::runtime {
namespace {

using namespace std::chrono_literals;

PodView view(std::string_view text) {
  const auto pod = json::read(text)->as_object();
  return view_pod({.key = {"default", "web-1"}, .version = 7, .bytes = {}}, pod);
}

TEST(PodView, ReadsWhatControllersAskFor) {
  const PodView pod = view(R"({
    "metadata":{"name":"web-1","uid":"u1","creationTimestamp":"2026-01-01T00:00:00Z",
      "labels":{"b":"2","a":"1"},"finalizers":["batch.kubernetes.io/job-tracking"],
      "annotations":{"controller.kubernetes.io/pod-deletion-cost":"-5",
                     "batch.kubernetes.io/job-completion-index":"3"},
      "ownerReferences":[{"apiVersion":"v1","kind":"Other","name":"o","uid":"uo"},
        {"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"ur","controller":true}]},
    "spec":{"nodeName":"n","hostname":"h","subdomain":"s",
      "initContainers":[{"name":"side","restartPolicy":"Always","ports":[{"name":"m","containerPort":9,"protocol":"TCP"}]},
                        {"name":"once","ports":[{"name":"x","containerPort":1,"protocol":"TCP"}]}],
      "containers":[{"name":"c","ports":[{"name":"http","containerPort":8080,"protocol":"TCP"},
                                          {"containerPort":1}]}]},
    "status":{"phase":"Running","podIP":"127.64.0.9",
      "conditions":[{"type":"Initialized","status":"True"},
                    {"type":"Ready","status":"True","lastTransitionTime":"2026-01-01T00:01:00Z"}],
      "containerStatuses":[{"name":"c","restartCount":2},{"name":"d","restartCount":4}],
      "initContainerStatuses":[{"name":"side","restartCount":1},{"name":"once","restartCount":8}]}})");
  EXPECT_EQ(pod.uid, "u1");
  EXPECT_EQ(pod.version, 7u);
  EXPECT_EQ(pod.controller_kind, "ReplicaSet");
  EXPECT_EQ(pod.controller_name, "web");
  EXPECT_EQ(pod.controller_uid, "ur");
  EXPECT_EQ(pod.labels, (api::Labels{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(pod.node, "n");
  EXPECT_EQ(pod.ip, "127.64.0.9");
  EXPECT_TRUE(pod.ready);
  EXPECT_EQ(pod.ready_changed - pod.created, 1min);
  EXPECT_EQ(pod.deletion_cost, -5);
  EXPECT_EQ(pod.index, 3);
  EXPECT_TRUE(pod.tracked);
  EXPECT_EQ(pod.restarts, 4);
  EXPECT_EQ(pod.sidecar_restarts, 1);
  EXPECT_EQ(pod.all_restarts, 15);
  ASSERT_EQ(pod.ports.size(), 2u);
  EXPECT_EQ(pod.ports[0].name, "http");
  EXPECT_EQ(pod.ports[1].name, "m");
}

TEST(PodView, ActiveIsNeitherOverNorOnItsWayOut) {
  struct Case {
    std::string_view phase;
    bool deleting, active, terminating;
  };
  for (const Case& c : {Case{"Pending", false, true, false}, Case{"Running", false, true, false},
                        Case{"Unknown", false, true, false}, Case{"Failed", false, false, false},
                        Case{"Succeeded", false, false, false}, Case{"Running", true, false, true},
                        Case{"Failed", true, false, false}}) {
    const std::string deletion = c.deleting ? R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")" : "";
    const PodView pod = view(R"({"metadata":{"name":"p")" + deletion + R"(},"status":{"phase":")" +
                             std::string(c.phase) + R"("}})");
    EXPECT_EQ(pod.is_active(), c.active) << c.phase << c.deleting;
    EXPECT_EQ(pod.is_terminating(), c.terminating) << c.phase << c.deleting;
  }
}

TEST(PodView, AvailableIsReadyForLongEnough) {
  const Time now(1000s);
  PodView pod{.ready = true, .ready_changed = now - 30s};
  EXPECT_TRUE(pod.is_available(0s, now));
  EXPECT_TRUE(pod.is_available(30s, now));
  EXPECT_FALSE(pod.is_available(31s, now));
  pod.ready_changed = {};
  EXPECT_TRUE(pod.is_available(0s, now));
  EXPECT_FALSE(pod.is_available(1s, now));
  pod.ready = false;
  EXPECT_FALSE(pod.is_available(0s, now));
}

TEST(PodView, FinishesWithTheLastContainerElseWhenItWasUnreadyElseWhenItWasDeleted) {
  struct Case {
    std::string_view metadata, status, finished;
  };
  const Case cases[] = {
      {"", R"("containerStatuses":[{"state":{"terminated":{"finishedAt":"2026-01-01T00:00:05Z"}}},
                                   {"state":{"terminated":{"finishedAt":"2026-01-01T00:00:04Z"}}}])",
       "2026-01-01T00:00:05Z"},
      {"", R"("containerStatuses":[{"state":{"terminated":{"finishedAt":"2026-01-01T00:00:05Z"}}},
                                   {"state":{"running":{}}}],
              "conditions":[{"type":"Ready","status":"False","lastTransitionTime":"2026-01-01T00:00:09Z"}])",
       "2026-01-01T00:00:09Z"},
      {R"(,"deletionTimestamp":"2026-01-01T00:00:30Z","deletionGracePeriodSeconds":10)",
       R"("containerStatuses":[{"state":{"running":{}}}])", "2026-01-01T00:00:20Z"},
      {"", R"("containerStatuses":[{"state":{"running":{}}}])", "2026-01-01T00:00:00Z"},
  };
  for (const Case& c : cases) {
    const PodView pod =
        view(R"({"metadata":{"name":"p","creationTimestamp":"2026-01-01T00:00:00Z")" +
             std::string(c.metadata) + R"(},"status":{"phase":"Failed",)" + std::string(c.status) +
             "}}");
    EXPECT_EQ(format_time(pod.finished), c.finished);
  }
}

}  // namespace
}  // namespace slipway::runtime
