#include <gmock/gmock.h>

#include "store/contract.h"

namespace slipway::store {

using testing::ElementsAre;

namespace {
std::vector<std::string> names(const Page& page) {
  std::vector<std::string> all;
  for (const Item& item : page.items) all.push_back(item.key.name);
  return all;
}
json::Object labelled(std::string_view name, std::string_view labels) {
  json::Object object = config_map(name);
  object["metadata"].as_object()["labels"] = parse_value(labels);
  return object;
}
// A real cluster puts one into every namespace.
constexpr std::string_view kRootCertificates = "kube-root-ca.crt";
api::FieldSelector ours() {
  return *api::parse_field_selector("metadata.name!=" + std::string(kRootCertificates));
}
}  // namespace

TEST_P(StoreContract, ListIsSortedAndWhole) {
  for (const char* name : {"c", "a", "b"}) create(kConfigMaps, config_map(name));
  Page page = list(kConfigMaps, {.ns = ns(), .fields = ours()});
  EXPECT_THAT(names(page), ElementsAre("a", "b", "c"));
  EXPECT_EQ(page.continue_token, "");
  for (const Item& item : page.items) EXPECT_LE(item.version, page.version);
  EXPECT_EQ(at(page.items[0], "data.k"), "\"v\"");
}

TEST_P(StoreContract, ListSelectsByLabels) {
  create(kConfigMaps, labelled("a", R"({"tier": "web", "env": "x"})"));
  create(kConfigMaps, labelled("b", R"({"tier": "db"})"));
  create(kConfigMaps, config_map("c"));
  struct {
    const char* selector;
    std::vector<std::string> expected;
  } const cases[] = {
      {"tier=web", {"a"}},  {"tier in (web,db)", {"a", "b"}},
      {"tier,!env", {"b"}}, {"tier!=web,tier", {"b"}},
      {"!tier", {"c"}},
  };
  for (const auto& [selector, expected] : cases) {
    Page page =
        list(kConfigMaps,
             {.ns = ns(), .labels = *api::parse_label_selector(selector), .fields = ours()});
    EXPECT_EQ(names(page), expected) << selector;
  }
}

TEST_P(StoreContract, ListSelectsByName) {
  create(kConfigMaps, config_map("a"));
  create(kConfigMaps, config_map("b"));
  Page page =
      list(kConfigMaps, {.ns = ns(), .fields = *api::parse_field_selector("metadata.name=b")});
  EXPECT_THAT(names(page), ElementsAre("b"));
}

TEST_P(StoreContract, ListRefusesFieldsItCannotSelectBy) {
  Result<Page> page = run(
      store().list(kConfigMaps, {.ns = ns(), .fields = *api::parse_field_selector("data.k=v")}));
  EXPECT_EQ(refusal(page), to_string(ErrorCode::kBadRequest));
}

TEST_P(StoreContract, PagesShowTheListAsItWasAtTheFirst) {
  for (const char* name : {"a", "b", "c", "d", "e"})
    create(kConfigMaps, labelled(name, R"({"mine": ""})"));
  api::LabelSelector mine = *api::parse_label_selector("mine");
  Page first = list(kConfigMaps, {.ns = ns(), .labels = mine, .limit = 2});
  EXPECT_THAT(names(first), ElementsAre("a", "b"));
  ASSERT_NE(first.continue_token, "");

  remove(kConfigMaps, "d");
  update(kConfigMaps, labelled("c", R"({"mine": "", "changed": ""})"));
  create(kConfigMaps, labelled("ca", R"({"mine": ""})"));

  Page second =
      list(kConfigMaps,
           {.ns = ns(), .labels = mine, .limit = 2, .continue_token = first.continue_token});
  EXPECT_THAT(names(second), ElementsAre("c", "d"));
  EXPECT_EQ(at(second.items[0], "metadata.labels.changed"), "");
  EXPECT_EQ(second.version, first.version);
  Page last =
      list(kConfigMaps,
           {.ns = ns(), .labels = mine, .limit = 2, .continue_token = second.continue_token});
  EXPECT_THAT(names(last), ElementsAre("e"));
  EXPECT_EQ(last.continue_token, "");
}

TEST_P(StoreContract, PagesSayHowManyAreLeftWhenNothingIsSelected) {
  install_widgets();
  for (const char* name : {"a", "b", "c"}) create(kWidgets, widget(name));
  Page page = list(kWidgets, {.ns = ns(), .limit = 1});
  ASSERT_TRUE(page.remaining);
  EXPECT_EQ(*page.remaining, 2u);
}

TEST_P(StoreContract, ListRefusesAContinueTokenThatIsNone) {
  Result<Page> page =
      run(store().list(kConfigMaps, {.ns = ns(), .limit = 1, .continue_token = "nonsense"}));
  EXPECT_EQ(refusal(page), to_string(ErrorCode::kBadRequest));
}

TEST_P(StoreContract, ListGoesAcrossNamespaces) {
  create(kConfigMaps, labelled("across", R"({"contract": "across"})"));
  Page page = list(kConfigMaps, {.labels = *api::parse_label_selector("contract=across")});
  bool found = false;
  for (const Item& item : page.items) found |= item.key == key("across");
  EXPECT_TRUE(found);
}

}  // namespace slipway::store
