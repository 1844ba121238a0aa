#include "store/embedded/engine.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <limits>

#include "store/embedded/embedded_host.h"
#include "store/embedded/watch.h"

namespace slipway::store {

using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const api::Gvr kConfigMaps{"", "v1", "configmaps"};
const api::Gvr kPods{"", "v1", "pods"};
const api::Gvr kNamespaces{"", "v1", "namespaces"};
const api::Gvr kDefinitions{"apiextensions.k8s.io", "v1", "customresourcedefinitions"};
const api::Gvr kThingsV1{"example.com", "v1", "things"};
const api::Gvr kThingsV2{"example.com", "v2", "things"};

class EngineTest : public testing::Test {
 protected:
  template <class T>
  T run(Task<T> task) {
    return run_to_end(host_.loop(), std::move(task));
  }
  EmbeddedStore& store() { return host_.store(); }
  Item create(const api::Gvr& kind, std::string ns, json::Object object) {
    Result<Item> made = run(store().create(kind, std::move(ns), std::move(object), {}));
    EXPECT_TRUE(made) << made.error().text();
    return made ? *made : Item{};
  }
  std::unique_ptr<Watch> watch(WatchOptions options) {
    Result<std::unique_ptr<Watch>> started = run(store().watch(kConfigMaps, std::move(options)));
    EXPECT_TRUE(started) << started.error().text();
    return started ? std::move(*started) : nullptr;
  }
  void install_things() {
    create(kDefinitions, "", parse(R"({
      "metadata": {"name": "things.example.com"},
      "spec": {"group": "example.com", "scope": "Namespaced",
        "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
        "versions": [
          {"name": "v1", "served": true, "storage": true,
           "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}},
          {"name": "v2", "served": true, "storage": false,
           "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}})"));
  }

  MemoryHost host_;
};

json::Object pod(std::string_view name, std::string_view node) {
  return parse(fmt::format(R"({{"metadata": {{"name": "{}"}}, "spec": {{"nodeName": "{}",
    "terminationGracePeriodSeconds": 30, "containers": [{{"name": "a", "image": "a"}}]}}}})",
                           name, node));
}

}  // namespace

TEST_F(EngineTest, HasTheNamespacesOfEveryCluster) {
  Page page = *run(store().list(kNamespaces, {}));
  std::vector<std::string> names;
  for (const Item& item : page.items) names.push_back(item.key.name);
  EXPECT_THAT(names, ElementsAre("default", "kube-node-lease", "kube-public", "kube-system"));
}

TEST_F(EngineTest, UnknownKindsAreNotFound) {
  Result<Page> page = run(store().list({"nobody.example.com", "v1", "things"}, {}));
  ASSERT_EQ(refusal(page), to_string(ErrorCode::kNotFound));
  EXPECT_EQ(page.error().message, "the server could not find the requested resource");
}

TEST_F(EngineTest, RefusesObjectsThatEtcdWouldNotHold) {
  install_things();
  json::Object big = parse(R"({"metadata": {"name": "big"}})");
  big["spec"] = json::Object{{"text", std::string(kMaxObjectBytes, 'x')}};
  Result<Item> made = run(store().create(kThingsV1, "default", big, {}));
  EXPECT_EQ(refusal(made), to_string(ErrorCode::kTooLarge));
}

TEST_F(EngineTest, APodThatWasNeverScheduledGoesAtOnce) {
  create(kPods, "default", pod("p", ""));
  EXPECT_TRUE(run(store().remove(kPods, {"default", "p"}, {}))->gone);
}

TEST_F(EngineTest, APodIsBoundToANodeOnce) {
  create(kPods, "default", pod("p", ""));
  const auto bind = [&](std::string_view node, std::string_view uid = "") {
    json::Object binding{{"metadata", json::Object{{"name", "p"}, {"uid", uid}}},
                         {"target", json::Object{{"kind", "Node"}, {"name", node}}}};
    return run(store().update(kPods, {"default", "p"}, binding, {.subresource = "binding"}));
  };
  EXPECT_EQ(refusal(bind("")), to_string(ErrorCode::kInvalid));
  EXPECT_EQ(refusal(bind("node", "another")), to_string(ErrorCode::kConflict));
  const Result<Item> bound = bind("node");
  ASSERT_TRUE(bound) << bound.error().text();
  EXPECT_EQ(at(*bound, "spec.nodeName"), "\"node\"");
  EXPECT_EQ(at(*bound, "status.phase"), "\"Pending\"");
  EXPECT_NE(bound->bytes->find("PodScheduled"), std::string::npos);
  EXPECT_EQ(refusal(bind("other")), to_string(ErrorCode::kConflict));
  EXPECT_EQ(
      refusal(run(store().update(kThingsV1, {"default", "p"}, {}, {.subresource = "binding"}))),
      to_string(ErrorCode::kNotFound));
}

TEST_F(EngineTest, AScheduledPodStaysForItsGracePeriod) {
  create(kPods, "default", pod("p", "node"));
  Time now = host_.loop().clock().now();
  Store::Deleted deleted = *run(store().remove(kPods, {"default", "p"}, {}));
  EXPECT_FALSE(deleted.gone);
  EXPECT_EQ(at(deleted.item, "metadata.deletionGracePeriodSeconds"), "30");
  EXPECT_EQ(at(deleted.item, "metadata.deletionTimestamp"),
            "\"" + format_time(now + std::chrono::seconds(30)) + "\"");
  // Neither again nor longer changes anything; shorter does.
  EXPECT_EQ(run(store().remove(kPods, {"default", "p"}, {}))->item.version, deleted.item.version);
  EXPECT_EQ(run(store().remove(kPods, {"default", "p"}, {.grace_seconds = 60}))->item.version,
            deleted.item.version);
  Store::Deleted shorter = *run(store().remove(kPods, {"default", "p"}, {.grace_seconds = 5}));
  EXPECT_EQ(at(shorter.item, "metadata.deletionGracePeriodSeconds"), "5");
  EXPECT_TRUE(run(store().remove(kPods, {"default", "p"}, {.grace_seconds = 0}))->gone);
}

TEST_F(EngineTest, AGracePeriodIsAtMostAHundredYears) {
  create(kPods, "default", pod("p", "node"));
  const Time end = host_.loop().clock().now() + std::chrono::hours(100 * 365 * 24);
  DeleteOptions options{.grace_seconds = std::numeric_limits<std::int64_t>::max()};
  Store::Deleted deleted = *run(store().remove(kPods, {"default", "p"}, options));
  EXPECT_EQ(at(deleted.item, "metadata.deletionGracePeriodSeconds"), "3153600000");
  EXPECT_EQ(at(deleted.item, "metadata.deletionTimestamp"), "\"" + format_time(end) + "\"");
}

TEST_F(EngineTest, AGracePeriodThatEndsAfterAllTimesCanBeShortened) {
  const Time now = host_.loop().clock().now();
  json::Object live = pod("p", "node");
  json::Object& metadata = live["metadata"].as_object();
  metadata["deletionTimestamp"] = "9999-12-31T23:59:59Z";
  metadata["deletionGracePeriodSeconds"] = 30;
  auto registry = api::Registry::make();
  const DeleteOptions options{.grace_seconds = 5};
  const Result<Decision> decision = decide_remove(live, {*registry->find(kPods), options, now});
  ASSERT_TRUE(decision) << decision.error().text();
  EXPECT_EQ(decision->outcome, Outcome::kPut);
  EXPECT_EQ(json::string_at(decision->object, {"metadata", "deletionTimestamp"}), format_time(now));
}

TEST_F(EngineTest, ANamespaceGoesWhenItsSpecFinalizersAreTakenAway) {
  create(kNamespaces, "", parse(R"({"metadata": {"name": "team"}})"));
  Store::Deleted deleted = *run(store().remove(kNamespaces, {"", "team"}, {}));
  EXPECT_FALSE(deleted.gone);
  EXPECT_FALSE(run(store().remove(kNamespaces, {"", "team"}, {}))->gone);
  json::Object object = parse(deleted.item);
  object["spec"].as_object()["finalizers"] = json::Array();
  // Not by an ordinary update.
  ASSERT_TRUE(run(store().update(kNamespaces, {"", "team"}, object, {})));
  ASSERT_TRUE(run(store().get(kNamespaces, {"", "team"})));
  ASSERT_TRUE(run(store().update(kNamespaces, {"", "team"}, object, {.subresource = "finalize"})));
  EXPECT_EQ(refusal(run(store().get(kNamespaces, {"", "team"}))), to_string(ErrorCode::kNotFound));
}

TEST_F(EngineTest, TheVersionsOfACustomKindShareTheirObjects) {
  install_things();
  create(kThingsV1, "default", parse(R"({"metadata": {"name": "t"}, "spec": {"a": 1}})"));
  EXPECT_EQ(at(*run(store().get(kThingsV2, {"default", "t"})), "apiVersion"), "\"example.com/v2\"");
  EXPECT_EQ(at(run(store().list(kThingsV2, {}))->items[0], "apiVersion"), "\"example.com/v2\"");
  json::Object object = parse(*run(store().get(kThingsV2, {"default", "t"})));
  object["spec"] = json::Object{{"a", 2}};
  ASSERT_TRUE(run(store().update(kThingsV2, {"default", "t"}, object, {})));
  Item item = *run(store().get(kThingsV1, {"default", "t"}));
  EXPECT_EQ(at(item, "apiVersion"), "\"example.com/v1\"");
  EXPECT_EQ(at(item, "spec.a"), "2");
}

TEST_F(EngineTest, AWriteThatChangesNothingMovesAnObjectToTheNewStorageVersion) {
  install_things();
  Item made = create(kThingsV1, "default", parse(R"({"metadata": {"name": "t"}})"));
  auto patch_definition = [&](std::string_view body, std::string subresource = "") {
    return run(store().patch(kDefinitions, {"", "things.example.com"},
                             {PatchType::kJson, parse_value(body)},
                             {.subresource = std::move(subresource)}));
  };
  constexpr std::string_view kDropV1 = R"([{"op": "remove", "path": "/spec/versions/0"}])";
  Result<Item> moved =
      patch_definition(R"([{"op": "replace", "path": "/spec/versions/0/storage", "value": false},
                           {"op": "replace", "path": "/spec/versions/1/storage", "value": true}])");
  ASSERT_TRUE(moved) << moved.error().text();
  EXPECT_EQ(at(*moved, "status.storedVersions"), R"(["v1","v2"])");
  EXPECT_EQ(refusal(patch_definition(kDropV1)), to_string(ErrorCode::kInvalid));

  auto touch = [&] {
    return run(store().patch(kThingsV1, {"default", "t"}, {PatchType::kMerge, json::Object()}, {}))
        ->version;
  };
  Version rewritten = touch();
  EXPECT_GT(rewritten, made.version);
  EXPECT_EQ(touch(), rewritten);

  EXPECT_EQ(
      refusal(patch_definition(
          R"([{"op": "replace", "path": "/status/storedVersions", "value": ["v1"]}])", "status")),
      to_string(ErrorCode::kInvalid));
  ASSERT_TRUE(patch_definition(
      R"([{"op": "replace", "path": "/status/storedVersions", "value": ["v2"]}])", "status"));
  ASSERT_TRUE(patch_definition(kDropV1));
  EXPECT_EQ(refusal(run(store().get(kThingsV1, {"default", "t"}))),
            to_string(ErrorCode::kNotFound));
  EXPECT_EQ(at(*run(store().get(kThingsV2, {"default", "t"})), "apiVersion"), "\"example.com/v2\"");
}

TEST_F(EngineTest, ADefinitionGoesAfterItsObjects) {
  install_things();
  create(kThingsV1, "default", parse(R"({"metadata": {"name": "plain"}})"));
  create(kThingsV1, "default",
         parse(R"({"metadata": {"name": "held", "finalizers": ["example.com/f"]}})"));
  Store::Deleted deleted = *run(store().remove(kDefinitions, {"", "things.example.com"}, {}));
  EXPECT_FALSE(deleted.gone);
  EXPECT_THAT(at(deleted.item, "status.conditions"), HasSubstr("InstanceDeletionPending"));

  Page left = *run(store().list(kThingsV1, {}));
  ASSERT_EQ(left.items.size(), 1u);
  EXPECT_NE(at(left.items[0], "metadata.deletionTimestamp"), "");
  EXPECT_EQ(refusal(run(store().create(kThingsV1, "default",
                                       parse(R"({"metadata": {"name": "late"}})"), {}))),
            to_string(ErrorCode::kMethodNotAllowed));

  Patch release{PatchType::kMerge, parse_value(R"({"metadata": {"finalizers": null}})")};
  ASSERT_TRUE(run(store().patch(kThingsV1, {"default", "held"}, release, {})));
  EXPECT_EQ(refusal(run(store().get(kDefinitions, {"", "things.example.com"}))),
            to_string(ErrorCode::kNotFound));
  EXPECT_EQ(refusal(run(store().list(kThingsV1, {}))), to_string(ErrorCode::kNotFound));
}

TEST_F(EngineTest, ADefinitionOfABuiltInKindGoesAndItsObjectsStay) {
  const api::Gvr templates{"argoproj.io", "v1alpha1", "analysistemplates"};
  create(templates, "default", parse(R"({"metadata": {"name": "kept"}, "spec": {}})"));
  create(kDefinitions, "", parse(R"({
    "metadata": {"name": "analysistemplates.argoproj.io"},
    "spec": {"group": "argoproj.io", "scope": "Namespaced",
      "names": {"plural": "analysistemplates", "singular": "analysistemplate",
                "kind": "AnalysisTemplate", "listKind": "AnalysisTemplateList"},
      "versions": [{"name": "v1alpha1", "served": true, "storage": true,
        "schema": {"openAPIV3Schema": {"type": "object"}}}]}})"));
  ASSERT_TRUE(run(store().remove(kDefinitions, {"", "analysistemplates.argoproj.io"}, {})));
  EXPECT_EQ(refusal(run(store().get(kDefinitions, {"", "analysistemplates.argoproj.io"}))),
            to_string(ErrorCode::kNotFound));
  EXPECT_TRUE(run(store().get(templates, {"default", "kept"})));
}

TEST_F(EngineTest, AWatchExpiresWhenTheHistoryHasMovedPastIt) {
  Item first = create(kConfigMaps, "default", config_map("a"));
  auto slow = watch({.from = first.version});
  auto elsewhere = watch({.ns = "kube-system", .from = first.version});
  // Old states fill the history by their bytes.
  const std::size_t writes = kMaxHistoryBytes / (512 * 1024) + 2;
  for (std::size_t i = 0; i < writes; ++i) {
    Patch patch{
        PatchType::kMerge,
        json::Object{{"data", json::Object{{"k", std::string(512 * 1024, char('a' + i % 26))}}}}};
    ASSERT_TRUE(run(store().patch(kConfigMaps, {"default", "a"}, patch, {})));
  }
  EXPECT_LE(store().stats().history_bytes, kMaxHistoryBytes);
  Result<std::vector<Event>> late = run(slow->next(std::chrono::seconds(1), {}));
  ASSERT_EQ(refusal(late), to_string(ErrorCode::kExpired));
  EXPECT_THAT(late.error().message,
              HasSubstr(fmt::format("too old resource version: {} (", first.version)));
  EXPECT_EQ(refusal(run(store().watch(kConfigMaps, {.from = first.version}))),
            to_string(ErrorCode::kExpired));

  // One that misses nothing of its own does not care.
  create(kConfigMaps, "kube-system", config_map("b"));
  Result<std::vector<Event>> fine = run(elsewhere->next(std::chrono::seconds(1), {}));
  ASSERT_TRUE(fine) << fine.error().text();
  EXPECT_THAT(summary(*fine), ElementsAre("ADDED b"));
}

TEST_F(EngineTest, APageWhoseListIsForgottenExpires) {
  create(kConfigMaps, "default", config_map("a"));
  create(kConfigMaps, "default", config_map("b"));
  Page page = *run(store().list(kConfigMaps, {.limit = 1}));
  for (std::size_t i = 0; i <= kMaxHistoryEvents; ++i) {
    Patch patch{PatchType::kMerge, json::Object{{"data", json::Object{{"k", std::to_string(i)}}}}};
    ASSERT_TRUE(run(store().patch(kConfigMaps, {"default", "b"}, patch, {})));
  }
  EXPECT_LE(store().stats().history_events, kMaxHistoryEvents);
  Result<Page> late =
      run(store().list(kConfigMaps, {.limit = 1, .continue_token = page.continue_token}));
  EXPECT_EQ(refusal(late), to_string(ErrorCode::kExpired));
}

TEST_F(EngineTest, BookmarksComeEveryMinuteAndAtTheEnd) {
  auto watching = watch({.from = store().stats().version, .bookmarks = true});
  create(kNamespaces, "", parse(R"({"metadata": {"name": "elsewhere"}})"));
  Result<std::vector<Event>> minute = run(watching->next(std::chrono::minutes(5), {}));
  ASSERT_TRUE(minute) << minute.error().text();
  ASSERT_THAT(summary(*minute), ElementsAre("BOOKMARK "));
  EXPECT_EQ((*minute)[0].item.version, store().stats().version);
  EXPECT_THAT(*(*minute)[0].item.bytes, HasSubstr(R"("kind":"ConfigMap")"));

  EXPECT_EQ(refusal(run(watching->next(std::chrono::seconds(10), {}))),
            to_string(ErrorCode::kTimeout));
  create(kNamespaces, "", parse(R"({"metadata": {"name": "elsewhere-too"}})"));
  Result<std::vector<Event>> end = run(watching->next(std::chrono::seconds(10), {}));
  ASSERT_TRUE(end) << end.error().text();
  ASSERT_THAT(summary(*end), ElementsAre("BOOKMARK "));
  EXPECT_EQ(refusal(run(watching->next(Duration(0), {}))), to_string(ErrorCode::kTimeout));
}

TEST_F(EngineTest, LongWatchesComeInPieces) {
  const std::size_t count = kMaxEventsAtOnce + 10;
  for (std::size_t i = 0; i < count; ++i)
    create(kConfigMaps, "default", config_map(fmt::format("c{:04}", i)));
  auto watching = watch({});
  EXPECT_EQ(run(watching->next(std::chrono::seconds(1), {}))->size(), kMaxEventsAtOnce);
  EXPECT_EQ(run(watching->next(std::chrono::seconds(1), {}))->size(), 10u);
}

TEST_F(EngineTest, AWatchOutlivesItsStore) {
  auto loop = make_sim_loop();
  auto random = seeded_random(1);
  auto registry = api::Registry::make();
  auto store = make_memory_store(*loop, *registry, *random);
  std::unique_ptr<Watch> watching = std::move(*run_to_end(*loop, store->watch(kConfigMaps, {})));
  store.reset();
  EXPECT_EQ(refusal(run_to_end(*loop, watching->next(std::chrono::seconds(1), {}))),
            to_string(ErrorCode::kCancelled));
}

TEST_F(EngineTest, FieldSelectorsReachIntoTheObject) {
  create(kPods, "default", pod("a", "north"));
  create(kPods, "default", pod("b", "south"));
  create(kPods, "default", pod("northern", "south"));
  Page page =
      *run(store().list(kPods, {.fields = *api::parse_field_selector("spec.nodeName=north")}));
  ASSERT_EQ(page.items.size(), 1u);
  EXPECT_EQ(page.items[0].key.name, "a");
}

TEST_F(EngineTest, StopEndsWatchesAndWritesButNotReads) {
  create(kConfigMaps, "default", config_map("a"));
  auto watching = watch({.from = store().stats().version});
  run(store().stop());
  EXPECT_EQ(refusal(run(watching->next(std::chrono::seconds(1), {}))),
            to_string(ErrorCode::kCancelled));
  EXPECT_EQ(refusal(run(store().create(kConfigMaps, "default", config_map("b"), {}))),
            to_string(ErrorCode::kCancelled));
  EXPECT_TRUE(run(store().get(kConfigMaps, {"default", "a"})));
}

}  // namespace slipway::store
