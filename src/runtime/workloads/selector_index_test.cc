#include "runtime/workloads/selector_index.h"

#include <gtest/gtest.h>

namespace slipway::runtime {
namespace {

std::string names(const SelectorIndex& index, const std::string& ns, const api::Labels& labels) {
  std::string all;
  for (const store::Key& key : index.selecting(ns, labels)) all += key.name + " ";
  return all;
}

TEST(SelectorIndex, FindsWhoSelectsInTheSameNamespace) {
  SelectorIndex index;
  const auto put = [&](std::string ns, std::string name, std::string_view selector) {
    index.put({std::move(ns), std::move(name)}, *api::parse_label_selector(selector));
  };
  put("a", "web", "app=web");
  put("a", "web-canary", "app=web,track=canary");
  put("a", "any", "app");
  put("a", "either", "app in (web,db)");
  put("a", "nothing", "");
  put("b", "web", "app=web");
  EXPECT_EQ(names(index, "a", {{"app", "web"}}), "any either web ");
  EXPECT_EQ(names(index, "a", {{"app", "web"}, {"track", "canary"}}), "any either web web-canary ");
  EXPECT_EQ(names(index, "a", {{"track", "canary"}}), "");
  EXPECT_EQ(names(index, "b", {{"app", "web"}}), "web ");
  index.erase({"a", "any"});
  put("a", "web", "app=db");
  EXPECT_EQ(names(index, "a", {{"app", "web"}}), "either ");
  EXPECT_EQ(names(index, "a", {{"app", "db"}}), "either web ");
  index.erase({"a", "no-such"});
}

}  // namespace
}  // namespace slipway::runtime
