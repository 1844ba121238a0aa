#include <gmock/gmock.h>

#include "store/contract.h"

namespace slipway::store {

using testing::HasSubstr;

TEST_P(StoreContract, UpdateReplacesTheObjectAndRaisesItsVersion) {
  Item made = create(kConfigMaps, config_map("a"));
  Item changed = update(kConfigMaps, config_map("a", R"({"other": "w"})"));
  EXPECT_GT(changed.version, made.version);
  EXPECT_EQ(at(changed, "data"), R"({"other":"w"})");
  EXPECT_EQ(at(get(kConfigMaps, "a"), "data"), R"({"other":"w"})");
}

TEST_P(StoreContract, UpdateRefusesAVersionThatIsNoLongerCurrent) {
  Item made = create(kConfigMaps, config_map("a"));
  json::Object first = parse(made);
  json::Object second = first;
  first["data"] = json::Object{{"k", "first"}};
  second["data"] = json::Object{{"k", "second"}};
  update(kConfigMaps, first);
  Result<Item> late = run(store().update(kConfigMaps, key("a"), second, {}));
  ASSERT_EQ(refusal(late), to_string(ErrorCode::kConflict));
  EXPECT_EQ(
      late.error().message,
      R"(Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply )"
      "your changes to the latest version and try again");
  EXPECT_EQ(at(get(kConfigMaps, "a"), "data.k"), "\"first\"");
}

TEST_P(StoreContract, UpdateRefusesAnotherObjectOfTheSameName) {
  json::Object old = parse(create(kConfigMaps, config_map("a")));
  remove(kConfigMaps, "a");
  create(kConfigMaps, config_map("a"));
  json::erase(old["metadata"].as_object(), "resourceVersion");
  Result<Item> late = run(store().update(kConfigMaps, key("a"), old, {}));
  ASSERT_EQ(refusal(late), to_string(ErrorCode::kConflict));
  EXPECT_THAT(late.error().message, HasSubstr("Precondition failed: UID in precondition: "));
}

TEST_P(StoreContract, UpdateOfACustomObjectNeedsAVersion) {
  install_widgets();
  create(kWidgets, widget("w"));
  Result<Item> blind = run(store().update(kWidgets, key("w"), widget("w", R"({"size": 2})"), {}));
  ASSERT_EQ(refusal(blind), to_string(ErrorCode::kInvalid));
  EXPECT_THAT(blind.error().message, HasSubstr("must be specified for an update"));
}

TEST_P(StoreContract, UpdateOfAMissingObjectIsNotFound) {
  Result<Item> late = run(store().update(kConfigMaps, key("a"), config_map("a"), {}));
  ASSERT_EQ(refusal(late), to_string(ErrorCode::kNotFound));
  EXPECT_EQ(late.error().message, R"(configmaps "a" not found)");
}

TEST_P(StoreContract, UpdateRefusesAnotherName) {
  create(kConfigMaps, config_map("a"));
  Result<Item> renamed = run(store().update(kConfigMaps, key("a"), config_map("b"), {}));
  ASSERT_EQ(refusal(renamed), to_string(ErrorCode::kBadRequest));
  EXPECT_EQ(renamed.error().message,
            "the name of the object (b) does not match the name on the URL (a)");
}

TEST_P(StoreContract, UpdateKeepsWhatOnlyTheServerMaySet) {
  Item made = create(kConfigMaps, config_map("a"));
  json::Object changed = config_map("a", R"({"k": "2"})");
  changed["metadata"].as_object()["creationTimestamp"] = "2001-01-01T00:00:00Z";
  changed["metadata"].as_object()["generation"] = 77;
  Item after = update(kConfigMaps, changed);
  for (std::string_view field :
       {"metadata.uid", "metadata.creationTimestamp", "metadata.generation"}) {
    EXPECT_EQ(at(after, field), at(made, field)) << field;
  }
}

TEST_P(StoreContract, UpdateRefusesAnotherTimeOfDeletion) {
  create(kConfigMaps, config_map("a"));
  for (const char* field : {"deletionTimestamp", "deletionGracePeriodSeconds"}) {
    json::Object changed = config_map("a");
    json::Object& metadata = changed["metadata"].as_object();
    if (field == std::string_view("deletionTimestamp"))
      metadata[field] = "2001-01-01T00:00:00Z";
    else
      metadata[field] = 5;
    Result<Item> refused = run(store().update(kConfigMaps, key("a"), changed, {}));
    ASSERT_EQ(refusal(refused), to_string(ErrorCode::kInvalid)) << field;
    EXPECT_THAT(refused.error().message, HasSubstr("field is immutable"));
  }
}

TEST_P(StoreContract, AWriteThatChangesNothingKeepsTheVersion) {
  Item made = create(kConfigMaps, config_map("a"));
  EXPECT_EQ(update(kConfigMaps, parse(made)).version, made.version);
  EXPECT_EQ(update(kConfigMaps, config_map("a")).version, made.version);
  EXPECT_EQ(
      patch(kConfigMaps, "a", {PatchType::kMerge, parse_value(R"({"data": {"k": "v"}})")}).version,
      made.version);
}

TEST_P(StoreContract, GenerationGrowsWithTheSpecAndNothingElse) {
  Item made = create(kDeployments, deployment("d"));
  EXPECT_EQ(at(made, "metadata.generation"), "1");
  json::Object object = parse(made);
  object["metadata"].as_object()["labels"] = json::Object{{"l", "1"}};
  Item labelled = update(kDeployments, object);
  EXPECT_EQ(at(labelled, "metadata.generation"), "1");
  object = parse(labelled);
  object["spec"].as_object()["replicas"] = 5;
  EXPECT_EQ(at(update(kDeployments, object), "metadata.generation"), "2");
}

TEST_P(StoreContract, StatusAndTheRestAreWrittenApart) {
  install_widgets();
  Item made = create(kWidgets, widget("w", R"({"size": 2})"));
  json::Object object = parse(made);
  object["status"] = json::Object{{"size", 2}};
  object["spec"].as_object()["size"] = 9;
  Item status = update(kWidgets, object, {.manager = "status-writer", .subresource = "status"});
  EXPECT_EQ(at(status, "status.size"), "2");
  EXPECT_EQ(at(status, "spec.size"), "2");
  EXPECT_EQ(at(status, "metadata.generation"), "1");
  EXPECT_THAT(at(status, "metadata.managedFields"), HasSubstr(R"("subresource":"status")"));

  object = parse(status);
  object["status"] = json::Object{{"size", 7}};
  object["spec"].as_object()["size"] = 3;
  Item spec = update(kWidgets, object);
  EXPECT_EQ(at(spec, "status.size"), "2");
  EXPECT_EQ(at(spec, "spec.size"), "3");
  EXPECT_EQ(at(spec, "metadata.generation"), "2");
}

TEST_P(StoreContract, MetadataComesWithTheStatusOfNativeKinds) {
  create(kDeployments, deployment("d"));
  const auto patched = [&](const char* body) {
    return patch(kDeployments, "d", {PatchType::kMerge, parse_value(body)},
                 {.subresource = "status"});
  };
  Item after = patched(R"({"metadata": {"labels": {"new": "1"}, "annotations": {"a": "b"},
                           "finalizers": ["example.com/f"]}, "status": {"replicas": 1}})");
  EXPECT_EQ(at(after, "metadata.annotations.a"), "\"b\"");
  EXPECT_EQ(at(after, "metadata.finalizers"), R"(["example.com/f"])");
  EXPECT_THAT(at(after, "metadata.labels"), Not(HasSubstr("new")));
  EXPECT_EQ(at(after, "status.replicas"), "1");
  Item last = patched(R"({"metadata": {"finalizers": null}})");
  EXPECT_THAT(at(last, "metadata"), Not(HasSubstr("example.com/f")));

  install_widgets();
  create(kWidgets, widget("w", R"({"size": 2})"));
  Item custom =
      patch(kWidgets, "w",
            {PatchType::kMerge, parse_value(R"({"metadata": {"annotations": {"a": "b"}}})")},
            {.subresource = "status"});
  EXPECT_THAT(at(custom, "metadata"), Not(HasSubstr("\"a\":\"b\"")));
}

TEST_P(StoreContract, SubresourcesThatAKindLacksAreNotFound) {
  create(kConfigMaps, config_map("a"));
  EXPECT_EQ(refusal(run(
                store().update(kConfigMaps, key("a"), config_map("a"), {.subresource = "status"}))),
            to_string(ErrorCode::kNotFound));
}

TEST_P(StoreContract, ScaleSetsTheReplicasAndAnswersWithAScale) {
  create(kDeployments, deployment("d"));
  Item scale =
      patch(kDeployments, "d", {PatchType::kMerge, parse_value(R"({"spec": {"replicas": 7}})")},
            {.subresource = "scale"});
  EXPECT_EQ(at(scale, "kind"), "\"Scale\"");
  EXPECT_EQ(at(scale, "spec.replicas"), "7");
  EXPECT_EQ(at(get(kDeployments, "d"), "spec.replicas"), "7");
  EXPECT_EQ(at(get(kDeployments, "d"), "metadata.generation"), "2");
}

TEST_P(StoreContract, DryRunOfUpdateWritesNothing) {
  Item made = create(kConfigMaps, config_map("a"));
  Item dry = update(kConfigMaps, config_map("a", R"({"k": "2"})"), {.dry_run = true});
  EXPECT_EQ(at(dry, "data.k"), "\"2\"");
  EXPECT_EQ(at(dry, "metadata.resourceVersion"), at(made, "metadata.resourceVersion"));
  EXPECT_EQ(at(get(kConfigMaps, "a"), "data.k"), "\"v\"");
}

}  // namespace slipway::store
