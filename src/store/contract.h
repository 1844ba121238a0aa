#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/registry.h"
#include "async/loop.h"
#include "store/store.h"

// What every Store must do, written once. The rules are in contract_*_test.cc and hold on a real
// kube-apiserver as well, so they assume nothing of how versions grow, use kinds every cluster has
// (and one definition of our own), and keep to a namespace of their own.
//
// A store joins with INSTANTIATE_TEST_SUITE_P(Name, StoreContract,
// testing::Values(ContractBackend{…}), contract_name);
namespace slipway::store {

// A store under test with the loop it runs on. Destroying it stops the store.
class ContractHost {
 public:
  virtual ~ContractHost() = default;
  virtual Loop& loop() = 0;
  virtual Store& store() = 0;
};

struct ContractBackend {
  std::string name;
  std::function<std::unique_ptr<ContractHost>()> start;
};
std::string contract_name(const testing::TestParamInfo<ContractBackend>& info);

class StoreContract : public testing::TestWithParam<ContractBackend> {
 protected:
  void SetUp() override;
  void TearDown() override;

  Store& store() { return host_->store(); }
  Loop& loop() { return host_->loop(); }
  const std::string& ns() const { return ns_; }
  Key key(std::string name) const { return {ns_, std::move(name)}; }

  template <class T>
  T run(Task<T> task) {
    return run_to_end(host_->loop(), std::move(task));
  }

  // Each fails the test when the store refuses, and then gives an empty item.
  Item create(const api::Gvr& kind, json::Object object);
  Item update(const api::Gvr& kind, json::Object object, WriteOptions options = {});
  Item patch(const api::Gvr& kind, std::string name, Patch patch, WriteOptions options = {});
  Item get(const api::Gvr& kind, std::string name);
  Store::Deleted remove(const api::Gvr& kind, std::string name, DeleteOptions options = {});
  Page list(const api::Gvr& kind, ListOptions options);
  std::unique_ptr<Watch> watch(const api::Gvr& kind, WatchOptions options);
  // The next `count` events, bookmarks left out; fewer when they do not come within ten seconds.
  std::vector<Event> events(Watch& watch, std::size_t count);

  // Makes sure that Widgets are served (contract.slipway.dev/v1: spec.size defaults to 1, at most
  // 10; status and scale).
  void install_widgets();
  // The same for Levers, a kind in two versions (v1, in which they are kept, and v2).
  void install_levers();

  static const api::Gvr kConfigMaps, kDeployments, kNamespaces, kDefinitions, kWidgets;

 private:
  std::unique_ptr<ContractHost> host_;
  std::string ns_;
};

// The code of a refusal, or a word when there was none: for EXPECT_EQ with a readable message.
template <class T>
std::string refusal(const Result<T>& result) {
  return result ? "accepted" : std::string(to_string(result.error().code));
}

json::Object parse(std::string_view text);  // of an object; fails the test otherwise
json::Value parse_value(std::string_view text);
json::Object parse(const Item& item);
json::Object config_map(std::string_view name, std::string_view data = R"({"k": "v"})");
json::Object deployment(std::string_view name);
json::Object widget(std::string_view name, std::string_view spec = "{}");
// The value at a dotted path as JSON; empty when there is none.
std::string at(const Item& item, std::string_view path);
// "ADDED a", "MODIFIED b", …
std::vector<std::string> summary(const std::vector<Event>& events);

}  // namespace slipway::store
