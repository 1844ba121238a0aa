#include <gmock/gmock.h>

#include "store/contract.h"

namespace slipway::store {

using testing::HasSubstr;
using testing::StartsWith;

TEST_P(StoreContract, CreateGivesUidVersionAndCreationTime) {
  Item made = create(kConfigMaps, config_map("a"));
  EXPECT_EQ(made.key, key("a"));
  EXPECT_GT(made.version, 0u);
  EXPECT_EQ(at(made, "metadata.resourceVersion"), "\"" + std::to_string(made.version) + "\"");
  EXPECT_EQ(at(made, "metadata.uid").size(), 38u);
  EXPECT_NE(at(made, "metadata.creationTimestamp"), "");
  EXPECT_EQ(at(made, "metadata.namespace"), "\"" + ns() + "\"");
  EXPECT_EQ(at(made, "kind"), "\"ConfigMap\"");
  EXPECT_EQ(at(made, "data.k"), "\"v\"");
  EXPECT_EQ(get(kConfigMaps, "a").version, made.version);
}

TEST_P(StoreContract, CreateDoesNotTakeSystemMetadataFromTheRequest) {
  json::Object object = config_map("a");
  object["metadata"].as_object()["uid"] = "mine";
  object["metadata"].as_object()["deletionTimestamp"] = "2020-01-01T00:00:00Z";
  Item made = create(kConfigMaps, object);
  EXPECT_NE(at(made, "metadata.uid"), "\"mine\"");
  EXPECT_EQ(at(made, "metadata.deletionTimestamp"), "");
}

TEST_P(StoreContract, CreateRefusesASecondOfTheSameName) {
  create(kConfigMaps, config_map("a"));
  Result<Item> second = run(store().create(kConfigMaps, ns(), config_map("a"), {}));
  ASSERT_EQ(refusal(second), to_string(ErrorCode::kAlreadyExists));
  EXPECT_EQ(second.error().message, R"(configmaps "a" already exists)");
}

TEST_P(StoreContract, CreateGeneratesDifferentNamesFromOnePrefix) {
  json::Object object = parse(R"({"metadata": {"generateName": "gen-"}})");
  Item one = create(kConfigMaps, object);
  Item two = create(kConfigMaps, object);
  EXPECT_THAT(one.key.name, StartsWith("gen-"));
  EXPECT_EQ(one.key.name.size(), 9u);
  EXPECT_NE(one.key.name, two.key.name);
}

TEST_P(StoreContract, CreateRefusesAMissingNamespace) {
  Result<Item> made = run(store().create(kConfigMaps, "no-such-namespace", config_map("a"), {}));
  ASSERT_EQ(refusal(made), to_string(ErrorCode::kNotFound));
  EXPECT_EQ(made.error().message, R"(namespaces "no-such-namespace" not found)");
}

TEST_P(StoreContract, CreateRefusesWhatDoesNotFitTheRequest) {
  json::Object other_version = config_map("a");
  other_version["apiVersion"] = "v2";
  json::Object other_namespace = config_map("a");
  other_namespace["metadata"].as_object()["namespace"] = "kube-system";
  Result<Item> made = run(store().create(kConfigMaps, ns(), other_namespace, {}));
  ASSERT_EQ(refusal(made), to_string(ErrorCode::kBadRequest));
  EXPECT_THAT(made.error().message, HasSubstr("does not match the namespace sent on the request"));
  EXPECT_EQ(refusal(run(store().create(kConfigMaps, ns(), other_version, {}))),
            to_string(ErrorCode::kBadRequest));
}

TEST_P(StoreContract, CreateNamesEveryInvalidField) {
  json::Object object = deployment("a");
  object["metadata"].as_object()["name"] = "Not_A_Name";
  object["spec"].as_object()["replicas"] = -1;
  Result<Item> made = run(store().create(kDeployments, ns(), object, {}));
  ASSERT_EQ(refusal(made), to_string(ErrorCode::kInvalid));
  std::set<std::string> fields;
  for (const Cause& cause : made.error().causes) fields.insert(cause.field);
  EXPECT_EQ(fields, (std::set<std::string>{"metadata.name", "spec.replicas"}));
  EXPECT_THAT(made.error().message, StartsWith(R"(Deployment.apps "Not_A_Name" is invalid: )"));
}

TEST_P(StoreContract, UnknownFieldsAreRefusedWarnedOfOrDropped) {
  json::Object object = config_map("a");
  object["colour"] = "red";
  Result<Item> strict =
      run(store().create(kConfigMaps, ns(), object, {.validation = FieldValidation::kStrict}));
  ASSERT_EQ(refusal(strict), to_string(ErrorCode::kBadRequest));
  EXPECT_THAT(strict.error().message,
              HasSubstr(R"(strict decoding error: unknown field "colour")"));

  std::vector<std::string> warnings;
  Result<Item> warned = run(store().create(
      kConfigMaps, ns(), object, {.validation = FieldValidation::kWarn, .warnings = &warnings}));
  ASSERT_TRUE(warned) << warned.error().text();
  EXPECT_THAT(warnings, testing::ElementsAre(R"(unknown field "colour")"));
  EXPECT_EQ(at(*warned, "colour"), "");

  object["metadata"].as_object()["name"] = "b";
  Result<Item> ignored =
      run(store().create(kConfigMaps, ns(), object, {.validation = FieldValidation::kIgnore}));
  ASSERT_TRUE(ignored) << ignored.error().text();
  EXPECT_EQ(at(*ignored, "colour"), "");
}

TEST_P(StoreContract, DryRunOfCreateChecksAllAndWritesNothing) {
  Result<Item> made = run(store().create(kConfigMaps, ns(), config_map("a"), {.dry_run = true}));
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_NE(at(*made, "metadata.uid"), "");
  EXPECT_EQ(at(*made, "metadata.resourceVersion"), "");
  EXPECT_EQ(refusal(run(store().get(kConfigMaps, key("a")))), to_string(ErrorCode::kNotFound));
  create(kConfigMaps, config_map("a"));
  EXPECT_EQ(refusal(run(store().create(kConfigMaps, ns(), config_map("a"), {.dry_run = true}))),
            to_string(ErrorCode::kAlreadyExists));
}

TEST_P(StoreContract, CreateTracksWhoWroteWhat) {
  Result<Item> made = run(store().create(kConfigMaps, ns(), config_map("a"), {.manager = "me"}));
  ASSERT_TRUE(made) << made.error().text();
  EXPECT_EQ(at(*made, "metadata.managedFields.0.manager"), "\"me\"");
  EXPECT_EQ(at(*made, "metadata.managedFields.0.operation"), "\"Update\"");
  EXPECT_EQ(at(*made, "metadata.managedFields.0.fieldsV1"), R"({"f:data":{".":{},"f:k":{}}})");
}

TEST_P(StoreContract, CustomObjectsGetDefaultsAndNoStatusAndAreChecked) {
  install_widgets();
  json::Object object = widget("w");
  object["status"] = json::Object{{"size", 3}};
  Item made = create(kWidgets, object);
  EXPECT_EQ(at(made, "spec.size"), "1");
  EXPECT_EQ(at(made, "status"), "");
  EXPECT_EQ(at(made, "metadata.generation"), "1");
  Result<Item> big = run(store().create(kWidgets, ns(), widget("big", R"({"size": 11})"), {}));
  ASSERT_EQ(refusal(big), to_string(ErrorCode::kInvalid));
  ASSERT_EQ(big.error().causes.size(), 1u);
  EXPECT_EQ(big.error().causes[0].field, "spec.size");
}

}  // namespace slipway::store
