#include <fmt/format.h>
#include <gmock/gmock.h>

#include "store/contract.h"

// A custom kind in two versions: one set of objects, seen through either.
namespace slipway::store {

using testing::ElementsAre;

namespace {

const api::Gvr kLeversV1{"contract.slipway.dev", "v1", "levers"};
const api::Gvr kLeversV2{"contract.slipway.dev", "v2", "levers"};
constexpr std::string_view kDefinition = "levers.contract.slipway.dev";

// onlyv1 and onlyv2 are known to one version alone and have defaults there.
json::Object definition() {
  auto version = [](std::string_view name, bool storage) {
    return fmt::format(
        R"({{"name": "{0}", "served": true, "storage": {1}, "schema": {{"openAPIV3Schema": {{
          "type": "object", "properties": {{"spec": {{"type": "object", "properties": {{
            "size": {{"type": "integer"}}, "colour": {{"type": "string"}},
            "only{0}": {{"type": "string", "default": "{0}"}}}}}}}}}}}}}})",
        name, storage);
  };
  return parse(fmt::format(
      R"({{"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
    "metadata": {{"name": "{}"}}, "spec": {{"group": "contract.slipway.dev", "scope": "Namespaced",
      "names": {{"plural": "levers", "singular": "lever", "kind": "Lever", "listKind": "LeverList"}},
      "versions": [{}, {}]}}}})",
      kDefinition, version("v1", true), version("v2", false)));
}

json::Object lever(std::string_view name, std::string_view version, std::string_view spec) {
  return parse(fmt::format(
      R"({{"apiVersion": "contract.slipway.dev/{}", "kind": "Lever", "metadata": {{"name": "{}"}}, "spec": {}}})",
      version, name, spec));
}

}  // namespace

void StoreContract::install_levers() {
  (void)run(store().create(kDefinitions, "", definition(), {}));
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (run(store().list(kLeversV1, {.ns = ns_})) && run(store().list(kLeversV2, {.ns = ns_})))
      return;
    (void)run(sleep_for(loop(), std::chrono::milliseconds(100)));
  }
  FAIL() << "levers are not served";
}

TEST_P(StoreContract, EitherVersionReadsWhatTheOtherWrote) {
  install_levers();
  create(kLeversV1, lever("a", "v1", R"({"size": 1})"));
  Item made = create(kLeversV2, lever("b", "v2", R"({"size": 2})"));
  EXPECT_EQ(at(made, "apiVersion"), R"("contract.slipway.dev/v2")");
  struct {
    const api::Gvr& kind;
    const char* api_version;
  } const cases[] = {{kLeversV1, R"("contract.slipway.dev/v1")"},
                     {kLeversV2, R"("contract.slipway.dev/v2")"}};
  for (const auto& [kind, api_version] : cases) {
    Page page = list(kind, {.ns = ns()});
    ASSERT_EQ(page.items.size(), 2u);
    for (const Item& item : page.items) {
      EXPECT_EQ(at(item, "apiVersion"), api_version);
      Item alone = get(kind, item.key.name);
      EXPECT_EQ(at(alone, "apiVersion"), api_version);
      EXPECT_EQ(alone.version, item.version);
    }
  }
  EXPECT_EQ(refusal(run(store().create(kLeversV2, ns(), lever("a", "v2", "{}"), {}))),
            to_string(ErrorCode::kAlreadyExists));
}

TEST_P(StoreContract, WhatIsKeptIsWhatTheStorageVersionKnows) {
  install_levers();
  create(kLeversV2, lever("a", "v2", R"({"size": 2, "onlyv2": "mine"})"));
  Item kept = get(kLeversV1, "a");
  EXPECT_EQ(at(kept, "spec.size"), "2");
  EXPECT_EQ(at(kept, "spec.onlyv1"), "\"v1\"");
  EXPECT_EQ(at(kept, "spec.onlyv2"), "");
  EXPECT_EQ(at(get(kLeversV2, "a"), "spec"), R"({"size":2})");
}

TEST_P(StoreContract, AWatchOfEitherVersionSeesEveryChangeInItsOwn) {
  install_levers();
  auto first = watch(kLeversV1, {.ns = ns()});
  auto second = watch(kLeversV2, {.ns = ns()});
  ASSERT_TRUE(first && second);
  create(kLeversV1, lever("a", "v1", R"({"size": 1})"));
  patch(kLeversV2, "a", {PatchType::kMerge, parse_value(R"({"spec": {"size": 2}})")});
  remove(kLeversV2, "a");
  for (Watch* watching : {first.get(), second.get()}) {
    std::vector<Event> seen = events(*watching, 3);
    EXPECT_THAT(summary(seen), ElementsAre("ADDED a", "MODIFIED a", "DELETED a"));
    for (const Event& event : seen)
      EXPECT_EQ(at(event.item, "apiVersion"), watching == first.get()
                                                  ? R"("contract.slipway.dev/v1")"
                                                  : R"("contract.slipway.dev/v2")");
  }
  EXPECT_EQ(refusal(run(store().get(kLeversV1, key("a")))), to_string(ErrorCode::kNotFound));
}

TEST_P(StoreContract, ASecondWriterThroughAnotherVersionIsRefused) {
  install_levers();
  json::Object seen = parse(create(kLeversV1, lever("a", "v1", R"({"size": 1})")));
  patch(kLeversV2, "a", {PatchType::kMerge, parse_value(R"({"spec": {"size": 2}})")});
  EXPECT_EQ(refusal(run(store().update(kLeversV1, key("a"), seen, {}))),
            to_string(ErrorCode::kConflict));
}

TEST_P(StoreContract, AVersionStaysWhileObjectsMayBeKeptInIt) {
  install_levers();
  Result<Item> live = run(store().get(kDefinitions, {"", std::string(kDefinition)}));
  ASSERT_TRUE(live) << live.error().text();
  EXPECT_EQ(at(*live, "status.storedVersions"), R"(["v1"])");
  json::Object without = parse(*live);
  json::Array& versions = without["spec"].as_object()["versions"].as_array();
  versions.erase(versions.begin());
  versions[0].as_object()["storage"] = true;
  Result<Item> refused =
      run(store().update(kDefinitions, {"", std::string(kDefinition)}, without, {.dry_run = true}));
  ASSERT_EQ(refusal(refused), to_string(ErrorCode::kInvalid));
  EXPECT_THAT(refused.error().message, testing::HasSubstr("status.storedVersions[0]"));
}

}  // namespace slipway::store
