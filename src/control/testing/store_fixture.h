#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "api/object.h"
#include "async/sim_loop.h"
#include "base/random.h"
#include "store/embedded.h"

namespace slipway::control {

// A memory store on simulated time, used by a person: each call ends before the next begins, and
// whatever goes wrong fails the test.
struct StoreFixture : testing::Test {
  static inline const api::Gvr kNamespaces{"", "v1", "namespaces"};
  static inline const api::Gvr kConfigMaps{"", "v1", "configmaps"};
  static inline const api::Gvr kEvents{"", "v1", "events"};

  // The JSON of a ConfigMap, a Namespace or an Event.
  static json::Object named(std::string_view kind, std::string_view name,
                            std::vector<api::OwnerReference> owners = {}) {
    json::Object object{
        {"apiVersion", "v1"}, {"kind", kind}, {"metadata", json::Object{{"name", name}}}};
    if (!owners.empty()) api::set_owners(object, owners);
    return object;
  }
  static api::OwnerReference reference_to(const json::Object& owner, bool blocks = false) {
    return {.api_version = std::string(owner.at("apiVersion").as_string()),
            .kind = std::string(owner.at("kind").as_string()),
            .name = std::string(api::name_of(owner)),
            .uid = std::string(api::uid_of(owner)),
            .block_owner_deletion = blocks};
  }

  json::Object create(const api::Gvr& kind, std::string ns, json::Object object) {
    auto made = run_to_end(*loop, store->create(kind, std::move(ns), std::move(object), {}));
    EXPECT_TRUE(made) << made.error().text();
    return made ? json::read(*made->bytes)->as_object() : json::Object{};
  }
  json::Object create_map(std::string name, std::vector<api::OwnerReference> owners = {}) {
    return create(kConfigMaps, "default", named("ConfigMap", name, std::move(owners)));
  }
  json::Object update(const api::Gvr& kind, json::Object object) {
    store::Key key{std::string(api::namespace_of(object)), std::string(api::name_of(object))};
    auto made = run_to_end(*loop, store->update(kind, std::move(key), std::move(object), {}));
    EXPECT_TRUE(made) << made.error().text();
    return made ? json::read(*made->bytes)->as_object() : json::Object{};
  }
  bool exists(const api::Gvr& kind, store::Key key) {
    return run_to_end(*loop, store->get(kind, std::move(key))).has_value();
  }
  json::Value read(const api::Gvr& kind, store::Key key) {
    auto item = run_to_end(*loop, store->get(kind, std::move(key)));
    EXPECT_TRUE(item) << item.error().text();
    return item ? *json::read(*item->bytes) : json::Value(json::Object{});
  }
  void remove(const api::Gvr& kind, store::Key key,
              store::Propagation how = store::Propagation::kBackground) {
    auto done = run_to_end(*loop, store->remove(kind, std::move(key), {.propagation = how}));
    EXPECT_TRUE(done) << done.error().text();
  }
  std::vector<json::Value> list(const api::Gvr& kind) {
    std::vector<json::Value> found;
    auto page = run_to_end(*loop, store->list(kind, {}));
    EXPECT_TRUE(page) << page.error().text();
    if (page)
      for (const auto& item : page->items) found.push_back(*json::read(*item.bytes));
    return found;
  }

  std::unique_ptr<SimLoop> loop = make_sim_loop();
  std::unique_ptr<Random> random = seeded_random(1);
  std::unique_ptr<api::Registry> registry = api::Registry::make();
  std::unique_ptr<store::EmbeddedStore> store = store::make_memory_store(*loop, *registry, *random);
};

}  // namespace slipway::control
