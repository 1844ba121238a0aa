#include "api/apply/apply.h"

#include <gtest/gtest.h>

#include "api/object.h"

namespace slipway::api {
namespace {

json::Object object_of(std::string_view text) {
  auto value = json::read(text);
  EXPECT_TRUE(value && value->is_object()) << text;
  return value && value->is_object() ? value->get_object() : json::Object();
}

// A kind whose type nobody described, so that the rules of ownership stand alone.
Resource widgets() {
  return {.gvk = {"example.com", "v1", "Widget"}, .plural = "widgets", .singular = "widget"};
}

json::Object widget(std::string_view rest) {
  return object_of(
      std::string(
          R"({"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","uid":"u"})") +
      std::string(rest) + "}");
}

Writer writer(std::string manager, int minute = 0) {
  return {.manager = std::move(manager),
          .now = parse_time("2026-01-01T00:00:00Z").value() + std::chrono::minutes(minute)};
}

std::string managed(const json::Object& object) {
  const json::Object* metadata = metadata_of(object);
  const json::Value* found = metadata == nullptr ? nullptr : metadata->if_contains("managedFields");
  return found == nullptr ? "" : json::write(*found);
}

json::Object applied(const json::Object* live, std::string_view rest, const Writer& who,
                     bool force = false) {
  auto result = server_side_apply(live, widget(rest), widgets(), who, {.force = force});
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : json::Object();
}

TEST(Apply, OwnsWhatItCreates) {
  EXPECT_EQ(
      managed(applied(nullptr, R"(,"spec":{"size":1})", writer("a"))),
      R"([{"manager":"a","operation":"Apply","apiVersion":"example.com/v1","time":"2026-01-01T00:00:00Z",)"
      R"("fieldsType":"FieldsV1","fieldsV1":{"f:spec":{".":{},"f:size":{}}}}])");
}

TEST(Apply, RefusesAFieldThatAnotherHoldsWithAnotherValue) {
  json::Object live = applied(nullptr, R"(,"spec":{"size":1,"color":"red"})", writer("a"));
  auto result =
      server_side_apply(&live, widget(R"(,"spec":{"size":2})"), widgets(), writer("b"), {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::kConflict);
  EXPECT_EQ(result.error().message,
            R"(Apply failed with 1 conflict: conflict with "a": .spec.size)");
  ASSERT_EQ(result.error().causes.size(), 1u);
  EXPECT_EQ(result.error().causes[0].reason, "FieldManagerConflict");
  EXPECT_EQ(result.error().causes[0].message, R"(conflict with "a")");
  EXPECT_EQ(result.error().causes[0].field, ".spec.size");
}

TEST(Apply, ListsConflictsByManager) {
  json::Object live = applied(nullptr, R"(,"spec":{"size":1,"color":"red"})", writer("z"));
  json::Object edited = live;
  edited["spec"].as_object()["shape"] = "round";
  track_update(&live, edited, widgets(), writer("kubectl-edit", 1));
  json::Object status = edited;
  status["status"] = json::Object{{"phase", "Up"}};
  Writer controller = writer("ctl", 2);
  controller.subresource = "status";
  track_update(&edited, status, widgets(), controller);
  auto result = server_side_apply(
      &status,
      widget(R"(,"spec":{"size":2,"color":"blue","shape":"flat"},"status":{"phase":"Down"})"),
      widgets(), writer("b"), {});
  ASSERT_FALSE(result);
  EXPECT_EQ(
      result.error().message,
      "Apply failed with 4 conflicts: conflicts with \"ctl\" with subresource \"status\" using "
      "example.com/v1:\n"
      "- .status.phase\nconflicts with \"kubectl-edit\" using example.com/v1:\n- .spec.shape\n"
      "conflicts with \"z\":\n- .spec.color\n- .spec.size");
  EXPECT_EQ(result.error().causes.size(), 4u);
}

TEST(Apply, SharesAFieldWithTheSameValue) {
  json::Object live = applied(nullptr, R"(,"spec":{"size":1})", writer("a"));
  json::Object both = applied(&live, R"(,"spec":{"size":1})", writer("b", 1));
  auto entries = read_managed_fields(both);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ(entries->at(0).fields, entries->at(1).fields);
}

TEST(Apply, TakesFieldsByForce) {
  json::Object live = applied(nullptr, R"(,"spec":{"size":1,"color":"red"})", writer("a"));
  json::Object taken = applied(&live, R"(,"spec":{"size":2})", writer("b", 1), true);
  EXPECT_EQ(json::write(taken.at("spec")), R"({"size":2,"color":"red"})");
  auto entries = read_managed_fields(taken);
  ASSERT_TRUE(entries);
  EXPECT_EQ(json::write(entries->at(0).fields.write()), R"({"f:spec":{".":{},"f:color":{}}})");
  EXPECT_EQ(json::write(entries->at(1).fields.write()), R"({"f:spec":{".":{},"f:size":{}}})");
}

TEST(Apply, RemovesWhatItNoLongerWantsAndNobodyElseOwns) {
  json::Object live = applied(nullptr, R"(,"spec":{"size":1,"color":"red"})", writer("a"));
  live = applied(&live, R"(,"spec":{"color":"red"})", writer("b", 1));
  live = applied(&live, R"(,"spec":{})", writer("a", 2));
  EXPECT_EQ(json::write(live.at("spec")), R"({"color":"red"})");
}

TEST(Apply, ChangesNothingTheSecondTime) {
  json::Object live = applied(nullptr, R"(,"spec":{"size":1})", writer("a"));
  EXPECT_EQ(json::write(applied(&live, R"(,"spec":{"size":1})", writer("a", 5))),
            json::write(live));
}

TEST(Apply, GivesAnUntrackedObjectToBeforeFirstApply) {
  json::Object live = widget(R"(,"spec":{"size":1})");
  json::Object result = applied(&live, R"(,"spec":{"color":"red"})", writer("a"));
  auto entries = read_managed_fields(result);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2u);
  EXPECT_EQ(entries->at(1).manager, "before-first-apply");
}

TEST(Apply, RefusesManagedFieldsAndOtherKinds) {
  json::Object config = widget("");
  metadata_of(config)["managedFields"] = json::Array();
  auto managed_given = server_side_apply(nullptr, config, widgets(), writer("a"), {});
  ASSERT_FALSE(managed_given);
  EXPECT_EQ(managed_given.error().code, ErrorCode::kBadRequest);
  EXPECT_EQ(managed_given.error().message, "metadata.managedFields must be nil");
  auto other = server_side_apply(nullptr, object_of(R"({"apiVersion":"v1","kind":"Pod"})"),
                                 widgets(), writer("a"), {});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().message, "invalid object type: /v1, Kind=Pod");
}

TEST(TrackUpdate, KeepsEntriesAndTimesWhenNothingChanged) {
  json::Object live = applied(nullptr, R"(,"spec":{"size":1})", writer("a"));
  json::Object same = live;
  track_update(&live, same, widgets(), writer("b", 9));
  EXPECT_EQ(json::write(same), json::write(live));
}

TEST(TrackUpdate, MergesTheOldestUpdatesBeyondTheLimit) {
  json::Object live = widget(R"(,"spec":{})");
  metadata_of(live).erase("uid");
  track_update(nullptr, live, widgets(), writer("creator"));
  metadata_of(live)["uid"] = "u";
  for (int i = 0; i < 15; ++i) {
    json::Object next = live;
    next["spec"].as_object()["f" + std::to_string(i)] = i;
    track_update(&live, next, widgets(), writer("m" + std::to_string(i), i + 1));
    live = next;
  }
  auto entries = read_managed_fields(live);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), kMaxUpdateManagers);
  EXPECT_EQ(entries->front().manager, "ancient-changes");
  EXPECT_EQ(json::write(entries->front().fields.write()),
            R"({"f:spec":{".":{},"f:f0":{},"f:f1":{},"f:f2":{},"f:f3":{},"f:f4":{},"f:f5":{}}})");
}

// As many as a request can hold, each with a field of its own: what takes a step for each pair of
// them takes minutes here.
TEST(TrackUpdate, MergesThousandsOfManagersInOneGo) {
  constexpr std::size_t kManagers = 20'000;
  json::Array managed;
  for (std::size_t i = 0; i < kManagers; ++i) {
    const std::string number = std::to_string(i);
    managed.push_back(json::Object{{"manager", "m" + number},
                                   {"operation", "Update"},
                                   {"apiVersion", "example.com/v1"},
                                   {"time", "2026-01-01T00:00:00Z"},
                                   {"fieldsType", "FieldsV1"},
                                   {"fieldsV1", json::Object{{"f:f" + number, json::Object()}}}});
  }
  json::Object live = widget(""), next = widget(R"(,"spec":{})");
  metadata_of(next)["managedFields"] = std::move(managed);
  track_update(&live, next, widgets(), writer("a", 1));
  auto entries = read_managed_fields(next);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), kMaxUpdateManagers);
  EXPECT_EQ(entries->front().manager, "ancient-changes");
  EXPECT_EQ(entries->front().fields.children.size(), kManagers - kMaxUpdateManagers + 2);
  EXPECT_EQ(entries->back().manager, "a");
}

TEST(KeepTimes, BringsBackTheOldTimesOfAnUnchangedObject) {
  json::Object before = applied(nullptr, R"(,"spec":{"size":1})", writer("a"));
  json::Object later = before;
  metadata_of(later)["managedFields"].as_array()[0].as_object()["time"] = "2027-01-01T00:00:00Z";
  json::Object changed = later;
  keep_times(before, later);
  EXPECT_EQ(json::write(later), json::write(before));
  changed["spec"].as_object()["size"] = 2;
  json::Object as_it_was = changed;
  keep_times(before, changed);
  EXPECT_EQ(json::write(changed), json::write(as_it_was));
}

}  // namespace
}  // namespace slipway::api
