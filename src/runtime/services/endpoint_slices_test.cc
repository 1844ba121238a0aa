#include "runtime/services/endpoint_slices.h"

#include <gtest/gtest.h>

#include "api/object.h"
#include "runtime/services/endpoints.h"

namespace slipway::runtime {
namespace {

json::Object service(std::string_view more = R"("clusterIP":"127.128.0.1")",
                     std::string_view target = R"("http")") {
  return json::read(
             R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"web","namespace":"ns",
      "uid":"us","labels":{"team":"a"}},"spec":{"selector":{"app":"web"},"type":"ClusterIP",)" +
             std::string(more) +
             R"(,"ports":[{"name":"main","port":80,"protocol":"TCP","targetPort":)" +
             std::string(target) + "}]}}")
      ->as_object();
}

PodView pod(int number, bool ready = true) {
  return {.key = {"ns", "web-" + std::to_string(number)},
          .uid = "u" + std::to_string(number),
          .node = "slipway",
          .ip = "127.64." + std::to_string(number / 250) + "." + std::to_string(number % 250),
          .phase = PodPhase::kRunning,
          .ready = ready,
          .ports = {{"http", "TCP", 8080}}};
}

std::vector<const PodView*> pointers(const std::vector<PodView>& pods) {
  std::vector<const PodView*> all;
  for (const PodView& one : pods) all.push_back(&one);
  return all;
}

SlicePlan plan(const json::Object& of, const std::vector<PodView>& pods,
               const std::vector<json::Object>& existing = {}) {
  return decide_slices(of, view_service(of), pointers(pods), existing);
}

std::size_t endpoints_in(const json::Object& slice) {
  const json::Array* endpoints = slice.at("endpoints").if_array();
  return endpoints ? endpoints->size() : 0;
}

TEST(EndpointSlices, ListPodsWithTheirPortsAndConditions) {
  const SlicePlan made = plan(service(), {pod(1)});
  ASSERT_EQ(made.create.size(), 1u);
  json::Object slice = made.create[0];
  EXPECT_TRUE(api::name_of(slice).starts_with("web-"));
  json::erase(api::metadata_of(slice), "name");
  EXPECT_TRUE(json::same(slice, *json::read(R"({"apiVersion":"discovery.k8s.io/v1",
      "kind":"EndpointSlice","addressType":"IPv4","metadata":{"namespace":"ns","labels":{"team":"a",
        "kubernetes.io/service-name":"web",
        "endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io"},
      "ownerReferences":[{"apiVersion":"v1","kind":"Service","name":"web","uid":"us",
                          "controller":true,"blockOwnerDeletion":true}]},
      "ports":[{"name":"main","protocol":"TCP","port":8080}],
      "endpoints":[{"addresses":["127.64.0.1"],"nodeName":"slipway",
        "conditions":{"ready":true,"serving":true,"terminating":false},
        "targetRef":{"kind":"Pod","namespace":"ns","name":"web-1","uid":"u1"}}]})")))
      << json::write(slice);
}

TEST(EndpointSlices, ReadyIsServingAndNotOnItsWayOut) {
  struct Case {
    bool ready, deleting, publish;
    std::string_view conditions;
  };
  for (const Case& c :
       {Case{true, false, false, R"({"ready":true,"serving":true,"terminating":false})"},
        Case{false, false, false, R"({"ready":false,"serving":false,"terminating":false})"},
        Case{true, true, false, R"({"ready":false,"serving":true,"terminating":true})"},
        Case{false, true, true, R"({"ready":true,"serving":false,"terminating":true})"}}) {
    PodView one = pod(1, c.ready);
    one.deleting = c.deleting;
    const auto of = service(c.publish ? R"("clusterIP":"None","publishNotReadyAddresses":true)"
                                      : R"("clusterIP":"None")");
    EXPECT_EQ(json::write(plan(of, {one}).create.at(0).at("endpoints").at(0).at("conditions")),
              c.conditions);
  }
}

TEST(EndpointSlices, WithoutPodsThereIsAnEmptyOne) {
  PodView over = pod(1);
  over.phase = PodPhase::kFailed;
  PodView new_one = pod(2);
  new_one.ip = "";
  const SlicePlan made = plan(service(), {over, new_one});
  ASSERT_EQ(made.create.size(), 1u);
  EXPECT_EQ(endpoints_in(made.create[0]), 0u);
  EXPECT_TRUE(plan(service(), {over}, made.create).empty());
  const SlicePlan next = plan(service(), {pod(1)}, made.create);
  EXPECT_EQ(next.create.size(), 1u);
  EXPECT_EQ(next.remove.size(), 1u);
}

// One such Pod would have the whole slice refused.
TEST(EndpointSlices, APodWhoseAddressIsNoneOfOursIsLeftOut) {
  for (const std::string_view address : {"x", "::1", "127.64.0.1.2"}) {
    PodView strange = pod(2);
    strange.ip = address;
    const std::vector<PodView> pods{pod(1), strange};
    const SlicePlan made = plan(service(), pods);
    ASSERT_EQ(made.create.size(), 1u);
    EXPECT_EQ(endpoints_in(made.create[0]), 1u) << address;
    const auto of = service();
    const auto endpoints = decide_endpoints(of, view_service(of), pointers(pods), nullptr);
    EXPECT_EQ(endpoints->at("subsets").at(0).at("addresses").as_array().size(), 1u) << address;
  }
}

TEST(EndpointSlices, PodsWithOtherPortsAreInOtherSlices) {
  PodView other = pod(2);
  other.ports[0].number = 9090;
  const SlicePlan made = plan(service(), {pod(1), other, pod(3)});
  ASSERT_EQ(made.create.size(), 2u);
  EXPECT_EQ(endpoints_in(made.create[0]) + endpoints_in(made.create[1]), 3u);
  EXPECT_EQ(plan(service(R"("clusterIP":"None")", "80"), {pod(1), other}).create.size(), 1u);
}

TEST(EndpointSlices, APodWithoutThePortIsListedWithNone) {
  PodView other = pod(1);
  other.ports.clear();
  const SlicePlan made = plan(service(), {other});
  ASSERT_EQ(made.create.size(), 1u);
  EXPECT_EQ(endpoints_in(made.create[0]), 1u);
  EXPECT_TRUE(made.create[0].at("ports").is_null());
  EXPECT_TRUE(plan(service(), {other}, made.create).empty());
}

TEST(EndpointSlices, AChangeRewritesTheOneSliceItIsIn) {
  std::vector<PodView> pods;
  for (int i = 1; i <= 250; ++i) pods.push_back(pod(i));
  const std::vector<json::Object> slices = plan(service(), pods).create;
  ASSERT_EQ(slices.size(), 3u);
  EXPECT_TRUE(plan(service(), pods, slices).empty());
  pods[100].ready = false;
  SlicePlan next = plan(service(), pods, slices);
  EXPECT_EQ(next.update.size(), 1u);
  EXPECT_EQ(next.create.size() + next.remove.size(), 0u);
  pods.erase(pods.begin() + 7);
  pods[99].ready = true;
  next = plan(service(), pods, slices);
  EXPECT_EQ(next.update.size(), 1u);
  EXPECT_EQ(next.create.size() + next.remove.size(), 0u);
  pods.resize(40);
  next = plan(service(), pods, slices);
  EXPECT_EQ(next.remove.size(), 2u);
}

TEST(EndpointSlices, NamesFollowFromWhatTheyAreFor) {
  EXPECT_EQ(api::name_of(plan(service(), {pod(1)}).create[0]),
            api::name_of(plan(service(), {pod(2)}).create[0]));
}

TEST(Endpoints, TellReadyFromOthersAndLeaveOutThoseThatGo) {
  PodView going = pod(3);
  going.deleting = true;
  const auto of = service();
  const std::vector<PodView> pods{pod(2, false), pod(1), going};
  const auto made = decide_endpoints(of, view_service(of), pointers(pods), nullptr);
  ASSERT_TRUE(made);
  EXPECT_TRUE(json::same(made->at("subsets"), *json::read(R"([{
      "addresses":[{"ip":"127.64.0.1","nodeName":"slipway",
        "targetRef":{"kind":"Pod","namespace":"ns","name":"web-1","uid":"u1"}}],
      "notReadyAddresses":[{"ip":"127.64.0.2","nodeName":"slipway",
        "targetRef":{"kind":"Pod","namespace":"ns","name":"web-2","uid":"u2"}}],
      "ports":[{"name":"main","port":8080,"protocol":"TCP"}]}])")))
      << json::write(made->at("subsets"));
  EXPECT_FALSE(decide_endpoints(of, view_service(of), pointers(pods), &*made));
  EXPECT_TRUE(decide_endpoints(of, view_service(of), {}, &*made));
}

TEST(Endpoints, AreCutAtTheirLimitAndSaySo) {
  std::vector<PodView> pods;
  for (int i = 0; i < 1100; ++i) pods.push_back(pod(i, i % 2 == 0));
  const auto of = service();
  const auto made = decide_endpoints(of, view_service(of), pointers(pods), nullptr);
  const auto& subset = made->at("subsets").at(0);
  EXPECT_EQ(subset.at("addresses").as_array().size(), 550u);
  EXPECT_EQ(subset.at("notReadyAddresses").as_array().size(), 450u);
  EXPECT_EQ(api::annotation_of(*made, "endpoints.kubernetes.io/over-capacity"), "truncated");
}

}  // namespace
}  // namespace slipway::runtime
