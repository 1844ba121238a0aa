#include "api/rules/crd_names.h"

#include <gtest/gtest.h>

#include "api/schema/crd_fixture.h"

namespace slipway::api {
namespace {

using testing::crontab_crd;
using testing::object_of;

constexpr std::string_view kNow = "2026-01-01T00:00:00Z";

json::Object crontabs() {
  json::Object crd = crontab_crd(R"({"type":"object"})");
  json::Object& names = crd["spec"].as_object()["names"].as_object();
  names["singular"] = "crontab";
  names["listKind"] = "CronTabList";
  return crd;
}

// "NamesAccepted=True NoConflicts: no conflicts found", a line each.
std::string conditions_of(const json::Object& crd) {
  std::string out;
  for (const json::Value& one : json::at(crd, {"status", "conditions"})->get_array()) {
    for (std::string_view part : {"type", "=", "status", " ", "reason", ": ", "message", "\n"})
      out += part.size() > 2 ? json::string_at(one, {part}) : part;
  }
  return out;
}

TEST(CrdNames, BelongToOneDefinitionOfAGroup) {
  struct Case {
    std::string_view taken, reason, message, accepted;
  };
  const Case cases[] = {
      {R"({"plural":"jobs","kind":"Job"})", "NoConflicts", "no conflicts found",
       R"({"categories":["all"],"kind":"CronTab","listKind":"CronTabList","plural":"crontabs",)"
       R"("shortNames":["ct"],"singular":"crontab"})"},
      {R"({"kind":"CronTab"})", "KindConflict", R"("CronTab" is already in use)",
       R"({"categories":["all"],"kind":"","listKind":"CronTabList","plural":"crontabs",)"
       R"("shortNames":["ct"],"singular":"crontab"})"},
      {R"({"kind":"CronTabList"})", "ListKindConflict", R"("CronTabList" is already in use)",
       R"({"categories":["all"],"kind":"CronTab","plural":"crontabs","shortNames":["ct"],)"
       R"("singular":"crontab"})"},
      {R"({"shortNames":["crontabs"]})", "PluralConflict", R"("crontabs" is already in use)",
       R"({"categories":["all"],"kind":"CronTab","listKind":"CronTabList","plural":"",)"
       R"("shortNames":["ct"],"singular":"crontab"})"},
      {R"({"plural":"crontab"})", "SingularConflict", R"("crontab" is already in use)",
       R"({"categories":["all"],"kind":"CronTab","listKind":"CronTabList","plural":"crontabs",)"
       R"("shortNames":["ct"]})"},
      {R"({"singular":"ct"})", "ShortNamesConflict", R"("ct" is already in use)",
       R"({"categories":["all"],"kind":"CronTab","listKind":"CronTabList","plural":"crontabs",)"
       R"("singular":"crontab"})"},
  };
  for (const Case& one : cases) {
    TakenNames taken;
    taken.add(object_of(one.taken));
    json::Object crd = crontabs();
    EXPECT_TRUE(settle_names(crd, nullptr, taken, kNow));
    const bool good = one.reason == "NoConflicts";
    EXPECT_EQ(conditions_of(crd),
              std::string("NamesAccepted=") + (good ? "True " : "False ") +
                  std::string(one.reason) + ": " + std::string(one.message) + "\nEstablished=" +
                  (good ? "True InitialNamesAccepted: the initial names have been accepted\n"
                        : "False NotAccepted: not all names are accepted\n"));
    EXPECT_EQ(json::write(*json::at(crd, {"status", "acceptedNames"}), {.sort_keys = true}),
              one.accepted);
    EXPECT_EQ(is_established(crd), good);
    EXPECT_EQ(are_names_accepted(crd), good);
    const json::Object before = crd;
    EXPECT_FALSE(settle_names(crd, &before, taken, "2027-01-01T00:00:00Z")) << "decided already";
  }
}

TEST(CrdNames, AreGivenWhenTheyAreFree) {
  TakenNames taken;
  taken.add(object_of(R"({"kind":"CronTab"})"));
  json::Object crd = crontabs();
  settle_names(crd, nullptr, taken, kNow);
  json::Object before = crd;
  EXPECT_TRUE(settle_names(crd, &before, {}, kNow));
  EXPECT_TRUE(is_established(crd) && are_names_accepted(crd));

  // Once served it stays so, under the names it has.
  taken.add(object_of(R"({"singular":"tab"})"));
  before = crd;
  crd["spec"].as_object()["names"].as_object()["singular"] = "tab";
  EXPECT_TRUE(settle_names(crd, &before, taken, kNow));
  EXPECT_TRUE(is_established(crd));
  EXPECT_FALSE(are_names_accepted(crd));
  EXPECT_EQ(json::string_at(*served_names(crd), {"singular"}), "crontab");
  EXPECT_EQ(json::string_at(*served_names(crd), {"kind"}), "CronTab");
}

TEST(CrdNames, ThatAreNotAcceptedAreNotServed) {
  TakenNames taken;
  taken.add(object_of(R"({"kind":"CronTab"})"));
  json::Object crd = crontabs();
  auto registry = Registry::make();
  ASSERT_TRUE(registry->add_custom(crd));
  settle_names(crd, nullptr, taken, kNow);
  ASSERT_TRUE(registry->add_custom(crd));
  EXPECT_EQ(registry->find(Gvr{"example.com", "v1", "crontabs"}), nullptr);
}

}  // namespace
}  // namespace slipway::api
