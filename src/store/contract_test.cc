#include "store/contract.h"

#include <fmt/format.h>

#include <charconv>

#include "base/random.h"

namespace slipway::store {

const api::Gvr StoreContract::kConfigMaps{"", "v1", "configmaps"};
const api::Gvr StoreContract::kDeployments{"apps", "v1", "deployments"};
const api::Gvr StoreContract::kNamespaces{"", "v1", "namespaces"};
const api::Gvr StoreContract::kDefinitions{"apiextensions.k8s.io", "v1",
                                           "customresourcedefinitions"};
const api::Gvr StoreContract::kWidgets{"contract.slipway.dev", "v1", "widgets"};

std::string contract_name(const testing::TestParamInfo<ContractBackend>& info) {
  return info.param.name;
}

void StoreContract::SetUp() {
  host_ = GetParam().start();
  ns_ = "contract-" + system_random()->suffix(8);
  create(kNamespaces, parse(fmt::format(R"({{"metadata": {{"name": "{}"}}}})", ns_)));
}

void StoreContract::TearDown() {
  if (host_) (void)run(store().remove(kNamespaces, {"", ns_}, {}));
  host_.reset();
}

Item StoreContract::create(const api::Gvr& kind, json::Object object) {
  bool whole = kind == kNamespaces || kind == kDefinitions;
  Result<Item> made = run(store().create(kind, whole ? "" : ns_, std::move(object), {}));
  EXPECT_TRUE(made) << made.error().text();
  return made ? *made : Item{};
}

Item StoreContract::update(const api::Gvr& kind, json::Object object, WriteOptions options) {
  std::string name(json::string_at(object, {"metadata", "name"}));
  Result<Item> made = run(store().update(kind, key(name), std::move(object), std::move(options)));
  EXPECT_TRUE(made) << made.error().text();
  return made ? *made : Item{};
}

Item StoreContract::patch(const api::Gvr& kind, std::string name, Patch patch,
                          WriteOptions options) {
  Result<Item> made =
      run(store().patch(kind, key(std::move(name)), std::move(patch), std::move(options)));
  EXPECT_TRUE(made) << made.error().text();
  return made ? *made : Item{};
}

Item StoreContract::get(const api::Gvr& kind, std::string name) {
  Result<Item> found = run(store().get(kind, key(std::move(name))));
  EXPECT_TRUE(found) << found.error().text();
  return found ? *found : Item{};
}

Store::Deleted StoreContract::remove(const api::Gvr& kind, std::string name,
                                     DeleteOptions options) {
  Result<Store::Deleted> gone = run(store().remove(kind, key(std::move(name)), std::move(options)));
  EXPECT_TRUE(gone) << gone.error().text();
  return gone ? *gone : Store::Deleted{};
}

Page StoreContract::list(const api::Gvr& kind, ListOptions options) {
  Result<Page> page = run(store().list(kind, std::move(options)));
  EXPECT_TRUE(page) << page.error().text();
  return page ? *page : Page{};
}

std::unique_ptr<Watch> StoreContract::watch(const api::Gvr& kind, WatchOptions options) {
  Result<std::unique_ptr<Watch>> started = run(store().watch(kind, std::move(options)));
  EXPECT_TRUE(started) << started.error().text();
  return started ? std::move(*started) : nullptr;
}

std::vector<Event> StoreContract::events(Watch& watch, std::size_t count) {
  std::vector<Event> all;
  while (all.size() < count) {
    Result<std::vector<Event>> some = run(watch.next(std::chrono::seconds(10), {}));
    if (!some) {
      ADD_FAILURE() << "after " << all.size() << " events: " << some.error().text();
      break;
    }
    for (Event& event : *some) {
      if (event.type != EventType::kBookmark) all.push_back(std::move(event));
    }
  }
  return all;
}

void StoreContract::install_widgets() {
  (void)run(store().create(kDefinitions, "", parse(R"({
    "metadata": {"name": "widgets.contract.slipway.dev"},
    "spec": {
      "group": "contract.slipway.dev", "scope": "Namespaced",
      "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
      "versions": [{
        "name": "v1", "served": true, "storage": true,
        "subresources": {"status": {}, "scale": {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}},
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {
          "spec": {"type": "object", "properties": {
            "size": {"type": "integer", "default": 1, "maximum": 10}, "colour": {"type": "string"},
            "parts": {"type": "array", "items": {"type": "string"}}}},
          "status": {"type": "object", "properties": {"size": {"type": "integer"}}}}}}
      }]}})"),
                           {}));
  // An API server needs a moment until a new kind is served.
  for (int attempt = 0; attempt < 100; ++attempt) {
    if (run(store().list(kWidgets, {.ns = ns_}))) return;
    (void)run(sleep_for(loop(), std::chrono::milliseconds(100)));
  }
  FAIL() << "widgets are not served";
}

json::Value parse_value(std::string_view text) {
  Result<json::Value> value = json::read(text);
  EXPECT_TRUE(value) << value.error().text() << " in " << text;
  return value ? *value : json::Value();
}

json::Object parse(std::string_view text) {
  json::Value value = parse_value(text);
  EXPECT_TRUE(value.is_object()) << text;
  return value.is_object() ? value.as_object() : json::Object();
}

json::Object parse(const Item& item) { return item.bytes ? parse(*item.bytes) : json::Object(); }

json::Object config_map(std::string_view name, std::string_view data) {
  return parse(fmt::format(
      R"({{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {{"name": "{}"}}, "data": {}}})",
      name, data));
}

json::Object deployment(std::string_view name) {
  return parse(fmt::format(R"({{
    "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {{"name": "{}"}},
    "spec": {{"replicas": 2, "selector": {{"matchLabels": {{"app": "a"}}}},
      "template": {{"metadata": {{"labels": {{"app": "a"}}}}, "spec": {{"containers": [
        {{"name": "web", "image": "web:1"}}, {{"name": "side", "image": "side:1"}}]}}}}}}}})",
                           name));
}

json::Object widget(std::string_view name, std::string_view spec) {
  return parse(fmt::format(
      R"({{"apiVersion": "contract.slipway.dev/v1", "kind": "Widget", "metadata": {{"name": "{}"}}, "spec": {}}})",
      name, spec));
}

std::string at(const Item& item, std::string_view path) {
  if (!item.bytes) return "no item";
  json::Value value = parse_value(*item.bytes);
  const json::Value* here = &value;
  while (!path.empty() && here) {
    std::string_view step = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), step.size() + 1));
    std::size_t index = 0;
    bool number = std::from_chars(step.data(), step.data() + step.size(), index).ec == std::errc();
    if (number && here->is_array()) {
      here = index < here->as_array().size() ? &here->as_array()[index] : nullptr;
    } else {
      here = here->is_object() ? here->as_object().if_contains(step) : nullptr;
    }
  }
  return here ? json::write(*here) : "";
}

std::vector<std::string> summary(const std::vector<Event>& events) {
  std::vector<std::string> lines;
  for (const Event& event : events) {
    const char* type = event.type == EventType::kAdded      ? "ADDED"
                       : event.type == EventType::kModified ? "MODIFIED"
                       : event.type == EventType::kDeleted  ? "DELETED"
                                                            : "BOOKMARK";
    lines.push_back(fmt::format("{} {}", type, event.item.key.name));
  }
  return lines;
}

}  // namespace slipway::store
