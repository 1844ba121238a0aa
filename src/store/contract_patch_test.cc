#include <gmock/gmock.h>

#include "store/contract.h"

namespace slipway::store {

using testing::HasSubstr;

TEST_P(StoreContract, MergePatchSetsAndRemovesFields) {
  create(kConfigMaps, config_map("a", R"({"k": "v", "old": "x"})"));
  Item after = patch(kConfigMaps, "a",
                     {PatchType::kMerge, parse_value(R"({"data": {"old": null, "new": "y"}})")});
  EXPECT_EQ(at(after, "data.k"), "\"v\"");
  EXPECT_EQ(at(after, "data.new"), "\"y\"");
  EXPECT_EQ(at(after, "data.old"), "");
}

TEST_P(StoreContract, JsonPatchAppliesItsOperationsOrNone) {
  create(kConfigMaps, config_map("a"));
  Patch good{PatchType::kJson, parse_value(R"([{"op": "test", "path": "/data/k", "value": "v"},
                                               {"op": "add", "path": "/data/n", "value": "1"}])")};
  EXPECT_EQ(at(patch(kConfigMaps, "a", good), "data.n"), "\"1\"");
  Patch bad{PatchType::kJson, parse_value(R"([{"op": "add", "path": "/data/m", "value": "1"},
                                              {"op": "test", "path": "/data/k", "value": "no"}])")};
  EXPECT_EQ(refusal(run(store().patch(kConfigMaps, key("a"), bad, {}))),
            to_string(ErrorCode::kInvalid));
  EXPECT_EQ(at(get(kConfigMaps, "a"), "data.m"), "");
}

TEST_P(StoreContract, StrategicMergeFindsContainersByName) {
  create(kDeployments, deployment("d"));
  Item after = patch(
      kDeployments, "d",
      {PatchType::kStrategicMerge, parse_value(R"({"spec": {"template": {"spec": {"containers": [
                        {"name": "side", "image": "side:2"}]}}}})")});
  EXPECT_EQ(at(after, "spec.template.spec.containers.0.image"), "\"web:1\"");
  EXPECT_EQ(at(after, "spec.template.spec.containers.1.image"), "\"side:2\"");
}

TEST_P(StoreContract, StrategicMergeIsNotForCustomObjects) {
  install_widgets();
  create(kWidgets, widget("w"));
  Result<Item> refused =
      run(store().patch(kWidgets, key("w"), {PatchType::kStrategicMerge, parse_value("{}")}, {}));
  EXPECT_EQ(refusal(refused), to_string(ErrorCode::kUnsupportedMedia));
}

TEST_P(StoreContract, PatchOfAMissingObjectIsNotFound) {
  EXPECT_EQ(refusal(run(
                store().patch(kConfigMaps, key("a"), {PatchType::kMerge, parse_value("{}")}, {}))),
            to_string(ErrorCode::kNotFound));
}

TEST_P(StoreContract, PatchWithAVersionHoldsOnlyForThatVersion) {
  Item made = create(kConfigMaps, config_map("a"));
  update(kConfigMaps, config_map("a", R"({"k": "2"})"));
  Patch stale{PatchType::kMerge,
              parse_value(R"({"metadata": {"resourceVersion": ")" + std::to_string(made.version) +
                          R"("}, "data": {"k": "3"}})")};
  EXPECT_EQ(refusal(run(store().patch(kConfigMaps, key("a"), stale, {}))),
            to_string(ErrorCode::kConflict));
}

TEST_P(StoreContract, PatchCannotRename) {
  create(kConfigMaps, config_map("a"));
  Patch rename{PatchType::kMerge, parse_value(R"({"metadata": {"name": "b"}})")};
  EXPECT_EQ(refusal(run(store().patch(kConfigMaps, key("a"), rename, {}))),
            to_string(ErrorCode::kBadRequest));
}

TEST_P(StoreContract, PatchOfTheStatusChangesOnlyTheStatus) {
  install_widgets();
  create(kWidgets, widget("w", R"({"size": 2})"));
  Item after =
      patch(kWidgets, "w",
            {PatchType::kMerge, parse_value(R"({"spec": {"size": 9}, "status": {"size": 1}})")},
            {.subresource = "status"});
  EXPECT_EQ(at(after, "spec.size"), "2");
  EXPECT_EQ(at(after, "status.size"), "1");
}

TEST_P(StoreContract, ApplyCreatesChangesAndPrunes) {
  Patch first{PatchType::kApply, config_map("a", R"({"k": "1", "gone": "1"})")};
  Item made = patch(kConfigMaps, "a", first, {.manager = "one"});
  EXPECT_EQ(at(made, "metadata.managedFields.0.operation"), "\"Apply\"");
  EXPECT_EQ(patch(kConfigMaps, "a", first, {.manager = "one"}).version, made.version);
  Item after = patch(kConfigMaps, "a", {PatchType::kApply, config_map("a", R"({"k": "2"})")},
                     {.manager = "one"});
  EXPECT_EQ(at(after, "data"), R"({"k":"2"})");
}

TEST_P(StoreContract, ApplyRefusesFieldsOfAnotherManagerUnlessForced) {
  patch(kConfigMaps, "a", {PatchType::kApply, config_map("a", R"({"k": "1"})")},
        {.manager = "one"});
  Patch theirs{PatchType::kApply, config_map("a", R"({"k": "2"})")};
  Result<Item> refused = run(store().patch(kConfigMaps, key("a"), theirs, {.manager = "two"}));
  ASSERT_EQ(refusal(refused), to_string(ErrorCode::kConflict));
  ASSERT_EQ(refused.error().causes.size(), 1u);
  EXPECT_EQ(refused.error().causes[0].field, ".data.k");
  EXPECT_EQ(refused.error().causes[0].reason, "FieldManagerConflict");
  EXPECT_THAT(refused.error().causes[0].message, HasSubstr(R"("one")"));
  theirs.force = true;
  EXPECT_EQ(at(patch(kConfigMaps, "a", theirs, {.manager = "two"}), "data.k"), "\"2\"");
}

TEST_P(StoreContract, ApplyWorksOnCustomObjects) {
  install_widgets();
  Item made = patch(kWidgets, "w", {PatchType::kApply, widget("w", R"({"colour": "red"})")},
                    {.manager = "one"});
  EXPECT_EQ(at(made, "spec.size"), "1");
  EXPECT_EQ(at(made, "metadata.generation"), "1");
  Item after = patch(kWidgets, "w", {PatchType::kApply, widget("w", R"({"colour": "blue"})")},
                     {.manager = "one"});
  EXPECT_EQ(at(after, "spec.colour"), "\"blue\"");
  EXPECT_EQ(at(after, "metadata.generation"), "2");
}

TEST_P(StoreContract, ApplyOfAScaleTakesTheReplicasFromTheirOwner) {
  patch(kDeployments, "d", {PatchType::kApply, deployment("d")}, {.manager = "one"});
  Patch scale{PatchType::kApply, parse_value(R"({"apiVersion": "autoscaling/v1", "kind": "Scale",
                              "metadata": {"name": "d"}, "spec": {"replicas": 5}})")};
  const WriteOptions scaler{.manager = "scaler", .subresource = "scale"};
  Result<Item> refused = run(store().patch(kDeployments, key("d"), scale, scaler));
  ASSERT_EQ(refusal(refused), to_string(ErrorCode::kConflict));
  ASSERT_EQ(refused.error().causes.size(), 1u);
  EXPECT_EQ(refused.error().causes[0].field, ".spec.replicas");
  EXPECT_EQ(refused.error().causes[0].message, R"(conflict with "one")");

  scale.force = true;
  Item answer = patch(kDeployments, "d", scale, scaler);
  EXPECT_EQ(at(answer, "kind"), "\"Scale\"");
  EXPECT_EQ(at(answer, "spec.replicas"), "5");
  Item after = get(kDeployments, "d");
  EXPECT_EQ(at(after, "spec.replicas"), "5");
  std::vector<std::string> owners;
  const json::Object object = parse(after);
  for (const json::Value& entry : object.at("metadata").at("managedFields").as_array()) {
    if (json::at(entry, {"fieldsV1", "f:spec", "f:replicas"}))
      owners.emplace_back(json::string_at(entry, {"manager"}));
  }
  EXPECT_THAT(owners, testing::ElementsAre("scaler"));
  EXPECT_EQ(patch(kDeployments, "d", scale, scaler).version, answer.version);
}

TEST_P(StoreContract, ApplyOfAScaleRefusesAnythingElse) {
  create(kDeployments, deployment("d"));
  struct {
    const char* body;
    ErrorCode code;
  } const cases[] = {
      {R"({"apiVersion": "apps/v1", "kind": "Deployment"})", ErrorCode::kBadRequest},
      {R"({"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"size": 5}})",
       ErrorCode::kInternal},
      {R"({"apiVersion": "autoscaling/v1", "kind": "Scale", "spec": {"replicas": -1}})",
       ErrorCode::kInvalid}};
  for (const auto& [body, code] : cases) {
    Patch scale{PatchType::kApply, parse_value(body), true};
    EXPECT_EQ(refusal(run(store().patch(kDeployments, key("d"), scale,
                                        {.manager = "scaler", .subresource = "scale"}))),
              to_string(code))
        << body;
  }
}

TEST_P(StoreContract, DryRunOfApplyWritesNothing) {
  Item made = patch(kConfigMaps, "a", {PatchType::kApply, config_map("a")},
                    {.manager = "one", .dry_run = true});
  EXPECT_EQ(at(made, "data.k"), "\"v\"");
  EXPECT_EQ(refusal(run(store().get(kConfigMaps, key("a")))), to_string(ErrorCode::kNotFound));
}

}  // namespace slipway::store
