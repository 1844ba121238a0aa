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

}  // namespace slipway::store
