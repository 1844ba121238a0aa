#include "runtime/services/service_controller.h"

#include <gtest/gtest.h>

#include "runtime/services/endpoints.h"
#include "runtime/workloads/testing/workload_life.h"

namespace slipway::runtime {
namespace {

json::Object service(std::string name, std::string_view more = R"("type":"ClusterIP")") {
  json::Object made = json::read(R"({"apiVersion":"v1","kind":"Service","spec":{
      "selector":{"app":"web"},"ports":[{"port":80}],)" +
                                 std::string(more) + "}}")
                          ->as_object();
  api::metadata_of(made)["name"] = name;
  return made;
}

struct ServiceControllerTest : WorkloadLifeFixture {
  std::string address(std::string name = "web") {
    return std::string(
        json::string_at(read(kServices, {"default", std::move(name)}), {"spec", "clusterIP"}));
  }
  // Ready and other endpoints in the slices of all Services.
  std::string listed() {
    int ready = 0, others = 0;
    for (const auto& slice : list(kEndpointSlices))
      if (const json::Value* all = json::at(slice, {"endpoints"}); all && all->is_array())
        for (const auto& endpoint : all->as_array())
          ++(endpoint.at("conditions").at("ready").as_bool() ? ready : others);
    return std::to_string(ready) + "+" + std::to_string(others);
  }
};

TEST_F(ServiceControllerTest, EachServiceGetsAnAddressOfItsOwnAndKeepsIt) {
  begin();
  std::set<std::string> seen;
  for (int i = 0; i < 20; ++i) {
    const std::string name = "s" + std::to_string(i);
    create(kServices, "default", service(name));
    loop->run_for(100ms);
    EXPECT_TRUE(address(name).starts_with("127.1") && seen.insert(address(name)).second)
        << address(name);
    EXPECT_EQ(read(kServices, {"default", name}).at("spec").at("clusterIPs").at(0),
              json::Value(address(name)));
  }
  const std::string before = address("s3");
  merge(kServices, {"default", "s3"}, R"({"spec":{"ports":[{"port":81}]}})");
  end();
  begin();
  create(kServices, "default", service("late"));
  loop->run_for(1s);
  EXPECT_EQ(address("s3"), before);
  EXPECT_TRUE(seen.insert(address("late")).second);
}

TEST_F(ServiceControllerTest, NoneAndExternalNameGetNoAddress) {
  begin();
  create(kServices, "default", service("headless", R"("clusterIP":"None")"));
  create(kServices, "default",
         service("outside", R"("type":"ExternalName","externalName":"example.com")"));
  loop->run_for(1s);
  EXPECT_EQ(address("headless"), "None");
  EXPECT_EQ(address("outside"), "");
  EXPECT_EQ(list(kEndpointSlices).size(), 1u);  // of the headless one
}

TEST_F(ServiceControllerTest, AnAddressThatCannotBeIsSaidToBe) {
  begin();
  create(kServices, "default", service("first", R"("clusterIP":"127.128.7.7")"));
  loop->run_for(1s);
  create(kServices, "default", service("second", R"("clusterIP":"127.128.7.7")"));
  create(kServices, "default", service("third", R"("clusterIP":"10.96.0.10")"));
  loop->run_for(1s);
  auto reasons = event_reasons();
  std::ranges::sort(reasons);
  EXPECT_EQ(reasons,
            (std::vector<std::string>{"ClusterIPAlreadyAllocated", "ClusterIPOutOfRange"}));
  EXPECT_EQ(address("first"), "127.128.7.7");
}

TEST_F(ServiceControllerTest, SlicesFollowThePods) {
  begin();
  create(kServices, "default", service("web"));
  create(kReplicaSets, "default", replica_set("web", 3));
  loop->run_for(50ms);
  EXPECT_EQ(listed(), "0+0");  // no address yet
  loop->run_for(10s);
  EXPECT_EQ(listed(), "3+0");
  EXPECT_EQ(list(kEndpoints).at(0).at("subsets").at(0).at("addresses").as_array().size(), 3u);
  remove(kPods, pods().front().key);
  loop->run_for(10ms);
  EXPECT_EQ(listed(), "2+1");
  loop->run_for(10s);
  EXPECT_EQ(listed(), "3+0");
  merge(kServices, {"default", "web"}, R"({"spec":{"selector":{"app":"nobody"}}})");
  loop->run_for(1s);
  EXPECT_EQ(listed(), "0+0");
}

TEST_F(ServiceControllerTest, WhatSomebodyDeletesIsMadeAgain) {
  begin();
  create(kServices, "default", service("web"));
  create(kReplicaSets, "default", replica_set("web", 1));
  loop->run_for(5s);
  const std::string name(api::name_of(list(kEndpointSlices).front().as_object()));
  remove(kEndpointSlices, {"default", name});
  remove(kEndpoints, {"default", "web"});
  loop->run_for(1s);
  EXPECT_EQ(listed(), "1+0");
  EXPECT_TRUE(exists(kEndpoints, {"default", "web"}));
}

json::Object by_hand(std::string name) {
  json::Object made = service(std::move(name));
  json::erase(made.at("spec").as_object(), "selector");
  return made;
}

json::Object endpoints(std::string_view metadata) {
  return json::read(R"({"apiVersion":"v1","kind":"Endpoints","metadata":{"name":"outside")" +
                    std::string(metadata) + R"(},"subsets":[{"addresses":[{"ip":"10.1.2.3"}],
                        "notReadyAddresses":[{"ip":"10.1.2.4"},{"ip":"2001:db8::1"}],
                        "ports":[{"port":5432,"protocol":"TCP"}]}]})")
      ->as_object();
}

TEST_F(ServiceControllerTest, EndpointsThatSomebodyWroteHaveSlices) {
  begin();
  create(kServices, "default", by_hand("outside"));
  loop->run_for(1s);
  EXPECT_TRUE(list(kEndpointSlices).empty());
  create(kEndpoints, "default", endpoints(R"(,"labels":{"a":"b"})"));
  loop->run_for(1s);
  EXPECT_EQ(listed(), "1+2");
  ASSERT_EQ(list(kEndpointSlices).size(), 2u);  // one for each family
  const auto labels = list(kEndpointSlices).front().at("metadata").at("labels");
  EXPECT_TRUE(json::same(labels, *json::read(R"({"a":"b","kubernetes.io/service-name":"outside",
      "endpointslice.kubernetes.io/managed-by":"endpointslicemirroring-controller.k8s.io"})")))
      << json::write(labels);
  const int writes = life->store.writes;
  loop->run_for(1h);
  EXPECT_EQ(life->store.writes, writes);
  merge(kEndpoints, {"default", "outside"}, R"({"subsets":[{"addresses":[{"ip":"10.1.2.9"}],
      "ports":[{"port":5432,"protocol":"TCP"}]}]})");
  loop->run_for(1s);
  ASSERT_EQ(list(kEndpointSlices).size(), 1u);
  EXPECT_EQ(list(kEndpointSlices).front().at("endpoints").at(0).at("addresses").at(0), "10.1.2.9");
  EXPECT_EQ(list(kEndpointSlices).front().at("ports").at(0).at("port").as_int64(), 5432);
  const auto name = list(kEndpointSlices).front().at("metadata").at("name");
  merge(kEndpointSlices, {"default", std::string(name.as_string())},
        R"({"ports":[{"name":"","port":1,"protocol":"TCP"}]})");
  loop->run_for(1s);
  ASSERT_EQ(list(kEndpointSlices).size(), 1u);
  EXPECT_EQ(list(kEndpointSlices).front().at("ports").at(0).at("port").as_int64(), 5432);
  remove(kEndpoints, {"default", "outside"});
  loop->run_for(1s);
  EXPECT_TRUE(list(kEndpointSlices).empty());
}

TEST_F(ServiceControllerTest, EndpointsThatAskNotToBeMirroredAreNot) {
  begin();
  create(kServices, "default", by_hand("outside"));
  for (const std::string_view metadata :
       {R"(,"labels":{"endpointslice.kubernetes.io/skip-mirror":"true"})",
        R"(,"annotations":{"control-plane.alpha.kubernetes.io/leader":"{}"})",
        R"(,"labels":{"endpoints.kubernetes.io/managed-by":"endpoint-controller"})"}) {
    create(kEndpoints, "default", endpoints(metadata));
    loop->run_for(1s);
    EXPECT_TRUE(list(kEndpointSlices).empty()) << metadata;
    remove(kEndpoints, {"default", "outside"});
  }
  create(kEndpoints, "default", endpoints(""));
  loop->run_for(1s);
  EXPECT_EQ(listed(), "1+2");
  merge(kServices, {"default", "outside"}, R"({"spec":{"selector":{"app":"web"}}})");
  loop->run_for(1s);
  EXPECT_EQ(listed(), "0+0");  // its own, and none of the others
}

TEST_F(ServiceControllerTest, IdleServicesCauseNoWrites) {
  begin();
  create(kServices, "default", service("web"));
  create(kReplicaSets, "default", replica_set("web", 2));
  loop->run_for(10s);
  const int writes = life->store.writes;
  loop->run_for(1h);
  EXPECT_EQ(life->store.writes, writes);
}

// A service of many Pods is not written once for each of them.
TEST_F(ServiceControllerTest, ManyPodsShareTheirWrites) {
  begin();
  create(kServices, "default", service("web"));
  create(kReplicaSets, "default", replica_set("web", 400));
  loop->run_for(30s);
  EXPECT_EQ(listed(), "400+0");
  EXPECT_EQ(list(kEndpointSlices).size(), 4u);
  EXPECT_LT(api::generation_of(list(kEndpointSlices).front().as_object()), 60);
}

TEST_F(ServiceControllerTest, DyingAtAnyWriteLeavesNoPodOutAndNoneTwice) {
  for (int n = 0; n < 16; ++n) {
    SCOPED_TRACE(n);
    begin();
    create(kServices, "default", service("web"));
    create(kReplicaSets, "default", replica_set("web", 2));
    live_twice(n, n % 2 == 0, 20s);
    EXPECT_EQ(listed(), "2+0");
    EXPECT_EQ(list(kEndpointSlices).size(), 1u);
    end();
    remove(kServices, {"default", "web"});
    remove(kReplicaSets, {"default", "web"});
    remove(kEndpoints, {"default", "web"});
    for (const auto& slice : list(kEndpointSlices))
      remove(kEndpointSlices, {"default", std::string(api::name_of(slice.as_object()))});
    for (const PodView& pod : pods()) remove(kPods, pod.key);
    loop->run_for(10s);
  }
}

}  // namespace
}  // namespace slipway::runtime
