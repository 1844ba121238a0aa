#include "api/object.h"

#include <gtest/gtest.h>

namespace slipway::api {
namespace {

json::Object read(std::string_view text) { return json::read(text).value().get_object(); }

TEST(Object, ReadsMetadata) {
  json::Object object =
      read(R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"ns",
    "uid":"u","resourceVersion":"42","generation":3,"deletionTimestamp":"2026-01-02T03:04:05Z",
    "finalizers":["a","b"],
    "annotations":{"k":"v"},"ownerReferences":[{"apiVersion":"v1","kind":"A","name":"a","uid":"1"},
    {"apiVersion":"v1","kind":"B","name":"b","uid":"2","controller":true,
    "blockOwnerDeletion":true}]}})");
  EXPECT_EQ(gvk_of(object), (Gvk{"apps", "v1", "Deployment"}));
  EXPECT_EQ(name_of(object), "web");
  EXPECT_EQ(namespace_of(object), "ns");
  EXPECT_EQ(uid_of(object), "u");
  EXPECT_EQ(version_of(object), 42u);
  EXPECT_EQ(generation_of(object), 3);
  EXPECT_TRUE(is_deleting(object));
  EXPECT_EQ(format_time(*deletion_time_of(object)), "2026-01-02T03:04:05Z");
  EXPECT_EQ(finalizers_of(object), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(annotation_of(object, "k"), "v");
  ASSERT_EQ(owners_of(object).size(), 2u);
  EXPECT_EQ(controller_of(object)->name, "b");
}

TEST(Object, TakesMissingOrMalformedMetadataAsEmpty) {
  for (std::string_view text :
       {R"({})", R"({"metadata":null})", R"({"metadata":[]})",
        R"({"metadata":{"name":1,"resourceVersion":"x","generation":"y","finalizers":{},
                                "ownerReferences":[1,null],"annotations":7,
    "deletionTimestamp":5}})"}) {
    json::Object object = read(text);
    EXPECT_EQ(name_of(object), "") << text;
    EXPECT_EQ(version_of(object), 0u);
    EXPECT_EQ(generation_of(object), 0);
    EXPECT_FALSE(is_deleting(object));
    EXPECT_TRUE(finalizers_of(object).empty());
    EXPECT_TRUE(owners_of(object).empty());
    EXPECT_EQ(annotation_of(object, "k"), "");
  }
}

TEST(Object, WritesMetadata) {
  json::Object object;
  set_annotation(object, "a", "1");
  set_label(object, "l", "2");
  set_finalizers(object, {"f"});
  json::Object owner =
      read(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","uid":"u"}})");
  add_owner(object, controller_reference(owner));
  EXPECT_EQ(
      json::write(object, {.sort_keys = true}),
      R"({"metadata":{"annotations":{"a":"1"},"finalizers":["f"],"labels":{"l":"2"},"ownerRefe)"
      R"(rences":[)"
      R"({"apiVersion":"v1","blockOwnerDeletion":true,"controller":true,"kind":"Pod","name":"p)"
      R"(","uid":"u"}]}})");
  set_finalizers(object, {});
  set_owners(object, {});
  EXPECT_EQ(json::write(object, {.sort_keys = true}),
            R"({"metadata":{"annotations":{"a":"1"},"labels":{"l":"2"}}})");
}

}  // namespace
}  // namespace slipway::api
