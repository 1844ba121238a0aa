#include "store/embedded/definitions.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "store/embedded/embedded_host.h"

// What a change of a definition means for the objects that are there, and for its neighbours.
namespace slipway::store {

using testing::HasSubstr;

namespace {

const api::Gvr kDefinitions{"apiextensions.k8s.io", "v1", "customresourcedefinitions"};
const api::Gvr kLamps{"example.com", "v1", "lamps"};
const api::Gvr kLights{"example.com", "v1", "lights"};

json::Object lamps(std::string_view properties, std::string_view plural = "lamps") {
  return parse(fmt::format(
      R"({{"metadata": {{"name": "{0}.example.com"}}, "spec": {{"group": "example.com",
      "scope": "Namespaced", "names": {{"plural": "{0}", "singular": "{0}-one", "kind": "Lamp"}},
      "versions": [{{"name": "v1", "served": true, "storage": true,
        "selectableFields": [{{"jsonPath": ".spec.a"}}], "schema": {{"openAPIV3Schema": {{
        "type": "object", "properties": {{"spec": {{"type": "object", "properties": {1}}}}}}}}}}}]}}}})",
      plural, properties));
}

constexpr std::string_view kOld = R"({"a": {"type": "string"}, "b": {"type": "string"}})";
constexpr std::string_view kNew =
    R"({"a": {"type": "string"}, "c": {"type": "string", "default": "new"}})";

// With a default for each item of a list; nothing when it is empty.
std::string listing(std::string_view by_default) {
  const std::string clause =
      by_default.empty() ? "" : fmt::format(R"(, "default": "{}")", by_default);
  const std::string_view required = by_default.empty() ? "" : R"("required": ["t"], )";
  return fmt::format(R"({{"a": {{"type": "string"}}, "list": {{"type": "array", "items": {{
      {}"type": "object", "properties": {{"t": {{"type": "string"{}}}}}}}}}}})",
                     required, clause);
}

std::string items(int count) {
  std::string list;
  for (int i = 0; i < count; ++i) list += i == 0 ? "{}" : ",{}";
  return fmt::format(R"({{"list": [{}]}})", list);
}

template <class Host>
class Shop {
 public:
  template <class... Args>
  explicit Shop(Args&&... args) : host_(std::forward<Args>(args)...) {}

  template <class T>
  T run(Task<T> task) {
    return run_to_end(host_.loop(), std::move(task));
  }
  Store& store() { return host_.store(); }
  Result<Item> define(json::Object crd) {
    return run(store().create(kDefinitions, "", std::move(crd), {}));
  }
  void redefine(std::string_view properties) {
    json::Object crd = lamps(properties);
    const Key key{"", std::string("lamps.example.com")};
    crd["metadata"].as_object()["resourceVersion"] =
        std::to_string(run(store().get(kDefinitions, key))->version);
    Result<Item> changed = run(store().update(kDefinitions, key, std::move(crd), {}));
    EXPECT_TRUE(changed) << changed.error().text();
  }
  Item make(std::string_view name, std::string_view spec = R"({"a": "1", "b": "2"})") {
    Result<Item> made = run(store().create(
        kLamps, "default",
        parse(fmt::format(R"({{"metadata": {{"name": "{}"}}, "spec": {}}})", name, spec)), {}));
    EXPECT_TRUE(made) << made.error().text();
    return made ? *made : Item{};
  }
  Item get(std::string name) { return *run(store().get(kLamps, {"default", std::move(name)})); }
  void wait() { run(sleep_for(host_.loop(), std::chrono::milliseconds(10))); }
  std::string conditions(std::string name) {
    return at(*run(store().get(kDefinitions, {"", std::move(name)})), "status.conditions");
  }

 private:
  Host host_;
};
using MemoryShop = Shop<MemoryHost>;
using SqliteShop = Shop<SqliteHost>;

}  // namespace

TEST(Definitions, ShowWhatIsThereAsTheirPresentSchemaHasIt) {
  MemoryShop shop;
  ASSERT_TRUE(shop.define(lamps(kOld)));
  const Item made = shop.make("l");
  shop.redefine(kNew);

  const Item now = shop.get("l");
  EXPECT_EQ(at(now, "spec"), R"({"a":"1","c":"new"})");
  EXPECT_EQ(now.version, made.version);
  EXPECT_EQ(at(now, "metadata.resourceVersion"), at(made, "metadata.resourceVersion"));
  EXPECT_EQ(at(shop.run(shop.store().list(kLamps, {}))->items.at(0), "spec"), at(now, "spec"));
  for (Version from : {Version(0), Version(made.version - 1)}) {
    auto watch = shop.run(shop.store().watch(kLamps, {.from = from}));
    ASSERT_TRUE(watch) << watch.error().text();
    auto events = shop.run((*watch)->next(std::chrono::seconds(1), {}));
    ASSERT_TRUE(events) << events.error().text();
    EXPECT_EQ(at(events->at(0).item, "spec"), at(now, "spec")) << "from " << from;
  }

  // What was written is still there while nobody writes.
  shop.redefine(kOld);
  EXPECT_EQ(*shop.get("l").bytes, *made.bytes);
}

TEST(Definitions, LetAWriteThatChangesNothingKeepTheNewForm) {
  MemoryShop shop;
  ASSERT_TRUE(shop.define(lamps(kOld)));
  const Item made = shop.make("l");
  shop.redefine(kNew);
  auto touch = [&] {
    return shop
        .run(shop.store().patch(kLamps, {"default", "l"}, {PatchType::kMerge, json::Object()}, {}))
        ->version;
  };
  const Version rewritten = touch();
  EXPECT_GT(rewritten, made.version);
  EXPECT_EQ(touch(), rewritten);
  shop.redefine(kOld);
  EXPECT_EQ(at(shop.get("l"), "spec"), R"({"a":"1"})");
}

TEST(Definitions, ShowTheSameAfterARestart) {
  ScratchFolder folder;
  Version made = 0;
  std::string fresh;
  {
    SqliteShop shop(folder.file("store.db"));
    ASSERT_TRUE(shop.define(lamps(kOld)));
    made = shop.make("old").version;
    shop.redefine(kNew);
    fresh = *shop.make("fresh", R"({"a": "1"})").bytes;
  }
  SqliteShop shop(folder.file("store.db"));
  EXPECT_EQ(at(shop.get("old"), "spec"), R"({"a":"1","c":"new"})");
  EXPECT_EQ(shop.get("old").version, made);
  EXPECT_EQ(*shop.get("fresh").bytes, fresh);
}

TEST(Definitions, LeaveObjectsAsTheyWereWrittenWhereDefaultsWouldMakeTooMuchOfThem) {
  const std::string large(10'000, 'x');
  const auto finalizers = [](std::string_view text) {
    return Patch{PatchType::kMerge,
                 parse_value(fmt::format(R"({{"metadata": {{"finalizers": {}}}}})", text))};
  };
  MemoryShop shop;
  ASSERT_TRUE(shop.define(lamps(listing(""))));
  shop.make("little", items(1));
  shop.make("much", items(200));    // two megabytes
  shop.make("more", items(1'000));  // ten
  const Patch hold = finalizers(R"(["example.com/f", "example.com/g"])");
  for (std::string name : {"much", "more"})
    ASSERT_TRUE(shop.run(shop.store().patch(kLamps, {"default", name}, hold, {})));
  const Item much = shop.get("much"), more = shop.get("more");
  shop.redefine(listing(large));

  EXPECT_EQ(at(shop.get("little"), "spec.list"), R"([{"t":")" + large + R"("}])");
  EXPECT_EQ(*shop.get("much").bytes, *much.bytes);
  EXPECT_EQ(*shop.get("more").bytes, *more.bytes);
  for (std::string name : {"much", "more"}) {
    const auto touched = shop.run(
        shop.store().patch(kLamps, {"default", name}, {PatchType::kMerge, json::Object()}, {}));
    EXPECT_EQ(refusal(touched), to_string(ErrorCode::kTooLarge)) << name;
  }
  // They can go all the same.
  for (std::string name : {"much", "more"}) {
    EXPECT_FALSE(shop.run(shop.store().remove(kLamps, {"default", name}, {}))->gone);
    for (std::string_view left : {R"(["example.com/g"])", "null"}) {
      const auto patched =
          shop.run(shop.store().patch(kLamps, {"default", name}, finalizers(left), {}));
      EXPECT_TRUE(patched) << patched.error().text();
    }
    EXPECT_EQ(refusal(shop.run(shop.store().get(kLamps, {"default", name}))),
              to_string(ErrorCode::kNotFound));
  }
}

// Marking it as deleted makes it larger than any that may be created.
TEST(Definitions, GoAfterAnObjectThatIsAsLargeAsCanBe) {
  MemoryShop shop;
  ASSERT_TRUE(shop.define(lamps(kOld)));
  const auto make = [&](std::string_view name, std::size_t size) {
    json::Object lamp = parse(fmt::format(
        R"({{"metadata": {{"name": "{}", "finalizers": ["example.com/f", "example.com/g"]}}}})",
        name));
    lamp["spec"] = json::Object{{"a", std::string(size, 'x')}};
    return shop.run(shop.store().create(kLamps, "default", std::move(lamp), {}));
  };
  const Result<Item> small = make("a", 0);
  ASSERT_TRUE(small) << small.error().text();
  const Result<Item> large = make("b", kMaxObjectBytes - small->bytes->size() - 10);
  ASSERT_TRUE(large) << large.error().text();
  EXPECT_GT(large->bytes->size(), kMaxObjectBytes - 20);

  ASSERT_TRUE(shop.run(shop.store().remove(kDefinitions, {"", "lamps.example.com"}, {})));
  EXPECT_GT(shop.get("b").bytes->size(), kMaxObjectBytes);
  for (std::string_view finalizers : {R"(["example.com/g"])", "null"})
    for (std::string name : {"a", "b"}) {
      const Patch patch{
          PatchType::kMerge,
          parse_value(fmt::format(R"({{"metadata": {{"finalizers": {}}}}})", finalizers))};
      const auto patched =
          shop.run(shop.store().patch(kLamps, {"default", name}, patch, {.manager = "other"}));
      EXPECT_TRUE(patched) << patched.error().text();
    }
  EXPECT_EQ(refusal(shop.run(shop.store().get(kDefinitions, {"", "lamps.example.com"}))),
            to_string(ErrorCode::kNotFound));
}

TEST(Definitions, AreNotUpdatedBlindly) {
  MemoryShop shop;
  ASSERT_TRUE(shop.define(lamps(kOld)));
  Result<Item> blind =
      shop.run(shop.store().update(kDefinitions, {"", "lamps.example.com"}, lamps(kNew), {}));
  ASSERT_EQ(refusal(blind), to_string(ErrorCode::kInvalid));
  EXPECT_THAT(blind.error().message,
              HasSubstr("customresourcedefinitions.apiextensions.k8s.io \"lamps.example.com\" is "
                        "invalid: metadata.resourceVersion: Invalid value: 0: must be specified "
                        "for an update"));
}

TEST(Definitions, OfAKindThatIsTakenWaitUntilItIsFree) {
  MemoryShop shop;
  ASSERT_TRUE(shop.define(lamps(kOld)));
  Result<Item> second = shop.define(lamps(kOld, "lights"));
  ASSERT_TRUE(second) << second.error().text();
  EXPECT_THAT(at(*second, "status.conditions"), HasSubstr("ListKindConflict"));
  EXPECT_EQ(at(*second, "status.acceptedNames.plural"), R"("lights")");
  EXPECT_EQ(refusal(shop.run(shop.store().list(kLights, {}))), to_string(ErrorCode::kNotFound));
  EXPECT_TRUE(shop.run(shop.store().list(kLamps, {})));

  // A write that changes nothing changes nothing here either.
  auto touched = shop.run(shop.store().patch(kDefinitions, {"", "lights.example.com"},
                                             {PatchType::kMerge, json::Object()}, {}));
  ASSERT_TRUE(touched) << touched.error().text();
  EXPECT_EQ(touched->version, second->version);

  ASSERT_TRUE(shop.run(shop.store().remove(kDefinitions, {"", "lamps.example.com"}, {})));
  EXPECT_TRUE(shop.run(shop.store().list(kLights, {})));
  EXPECT_THAT(shop.conditions("lights.example.com"), HasSubstr("InitialNamesAccepted"));
}

TEST(Definitions, OfAKindThatIsTakenMayAskForAnother) {
  MemoryShop shop;
  ASSERT_TRUE(shop.define(lamps(kOld)));
  ASSERT_TRUE(shop.define(lamps(kOld, "lights")));
  const auto rename = [&](std::string name) {
    json::Object names{{"kind", "Light"}, {"listKind", "LightList"}, {"singular", "light"}};
    return shop.run(shop.store().patch(
        kDefinitions, {"", std::move(name)},
        {PatchType::kMerge, json::Object{{"spec", json::Object{{"names", std::move(names)}}}}},
        {}));
  };
  EXPECT_EQ(refusal(rename("lamps.example.com")), to_string(ErrorCode::kInvalid));
  const Result<Item> renamed = rename("lights.example.com");
  ASSERT_TRUE(renamed) << renamed.error().text();
  EXPECT_TRUE(shop.run(shop.store().list(kLights, {})));
}

TEST(Definitions, OfNamesThatAreTakenStayUnservedAfterARestart) {
  ScratchFolder folder;
  {
    SqliteShop shop(folder.file("store.db"));
    ASSERT_TRUE(shop.define(lamps(kOld)));
    ASSERT_TRUE(shop.define(lamps(kOld, "lights")));
  }
  SqliteShop shop(folder.file("store.db"));
  EXPECT_EQ(refusal(shop.run(shop.store().list(kLights, {}))), to_string(ErrorCode::kNotFound));
  ASSERT_TRUE(shop.run(shop.store().remove(kDefinitions, {"", "lamps.example.com"}, {})));
  for (int i = 0; i < 1000 && !shop.run(shop.store().list(kLights, {})); ++i) shop.wait();
  EXPECT_TRUE(shop.run(shop.store().list(kLights, {})));
}

}  // namespace slipway::store
