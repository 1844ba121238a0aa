#include "cli/tree/branches.h"

#include <gtest/gtest.h>

#include "cli/yaml_testing.h"

namespace slipway::cli {
namespace {

json::Value pod(std::string_view name, std::string_view set, std::string_view status) {
  return from_yaml("{metadata: {name: " + std::string(name) + ", ownerReferences: [{uid: " +
                   std::string(set) + ", controller: true}]}, status: " + std::string(status) + "}")
      .at(0);
}

TEST(UnexplainedPods, AreThoseOfTheTreeWhoseContainersSayNothing) {
  constexpr std::string_view kIll =
      "{phase: Running, conditions: [{type: Ready, status: 'False'}], containerStatuses: [{state: "
      "{running: {}}}]}";
  constexpr std::string_view kWaits =
      "{phase: Pending, containerStatuses: [{state: {waiting: {message: no such image}}}]}";
  constexpr std::string_view kWell =
      "{phase: Running, conditions: [{type: Ready, status: 'True'}]}";
  Grove grove;
  grove.experiments =
      from_yaml("metadata: {name: e, uid: e, ownerReferences: [{uid: root, controller: true}]}");
  grove.replica_sets = from_yaml(R"(
metadata: {name: old, uid: old, creationTimestamp: "2026-01-01T00:00:00Z",
  ownerReferences: [{uid: root, controller: true}]}
---
metadata: {name: new, uid: new, creationTimestamp: "2026-01-02T00:00:00Z",
  ownerReferences: [{uid: root, controller: true}]}
---
metadata: {name: tried, uid: tried, ownerReferences: [{uid: e, controller: true}]}
---
metadata: {name: strange, uid: strange, ownerReferences: [{uid: another, controller: true}]}
)");
  grove.pods = {pod("ill-old", "old", kIll),         pod("well", "old", kWell),
                pod("ill-new", "new", kIll),         pod("waits", "new", kWaits),
                pod("ill-strange", "strange", kIll), pod("ill-tried", "tried", kIll)};
  std::vector<std::string_view> names;
  const json::Value root = from_yaml("metadata: {name: web, uid: root}").at(0);
  for (const json::Value* one : unexplained_pods(root, grove))
    names.push_back(json::string_at(*one, {"metadata", "name"}));
  EXPECT_EQ(names, (std::vector<std::string_view>{"ill-new", "ill-old", "ill-tried"}));
}

}  // namespace
}  // namespace slipway::cli
