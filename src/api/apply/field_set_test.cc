#include "api/apply/field_set.h"

#include <gtest/gtest.h>

namespace slipway::api {
namespace {

FieldSet set_of(std::string_view text) {
  auto value = json::read(text);
  EXPECT_TRUE(value) << text;
  auto set = FieldSet::read(*value);
  EXPECT_TRUE(set) << text;
  return set ? *set : FieldSet();
}
std::string text_of(const FieldSet& set) { return json::write(set.write()); }

TEST(FieldSet, ReadsAndWritesWhatKubernetesWrites) {
  for (
      std::string_view text : {
          R"({})",
          R"({"f:metadata":{"f:labels":{".":{},"f:app":{}}}})",
          R"({"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}}})",
          R"({"f:metadata":{"f:finalizers":{"v:\"a\"":{},"v:\"b\"":{}}},"i:3":{}})",
      })
    EXPECT_EQ(text_of(set_of(text)), text);
}

TEST(FieldSet, PutsElementsInKubernetesOrder) {
  EXPECT_EQ(
      text_of(set_of(R"({"i:10":{},"i:9":{},"v:\"b\"":{},"v:2":{},"v:10":{},"k:{\"a\":\"b!\"}":{},)"
                     R"("k:{\"a\":\"b\"}":{},"k:{\"a\":5}":{},"f:b":{},"f:a":{},"x:unknown":{}})")),
      R"({"f:a":{},"f:b":{},"k:{\"a\":5}":{},"k:{\"a\":\"b\"}":{},"k:{\"a\":\"b!\"}":{},)"
      R"("v:2":{},"v:10":{},"v:\"b\"":{},"i:9":{},"i:10":{}})");
}

TEST(FieldSet, KnowsAKeyWhateverItsOrder) {
  EXPECT_EQ(set_of(R"({"k:{\"b\":1,\"a\":2}":{}})"), set_of(R"({"k:{\"a\":2,\"b\":1}":{}})"));
  EXPECT_EQ(
      text_of(set_of(R"({"k:{\"b\":1,\"a\":2}":{"f:x":{}},"k:{\"a\":2,\"b\":1}":{"f:y":{}}})")),
      R"({"k:{\"a\":2,\"b\":1}":{"f:x":{},"f:y":{}}})");
}

TEST(FieldSet, RefusesWhatIsNoFieldSet) {
  for (std::string_view text : {R"([])", R"({"f":{}})", R"({"fa":{}})", R"({"k:x":{}})",
                                R"({"k:[1]":{}})", R"({"v:":{}})", R"({"i:x":{}})", R"({"f:a":1})"})
    EXPECT_FALSE(FieldSet::read(*json::read(text))) << text;
}

TEST(FieldSet, FormsUnionDifferenceAndIntersection) {
  FieldSet a = set_of(R"({"f:a":{".":{},"f:x":{}},"f:b":{}})");
  FieldSet b = set_of(R"({"f:a":{},"f:c":{"f:y":{}}})");
  EXPECT_EQ(text_of(a.united(b)), R"({"f:a":{".":{},"f:x":{}},"f:b":{},"f:c":{"f:y":{}}})");
  EXPECT_EQ(text_of(a.minus(b)), R"({"f:a":{"f:x":{}},"f:b":{}})");
  FieldSet trees_gone = a;
  trees_gone.remove_trees(b);
  EXPECT_EQ(text_of(trees_gone), R"({"f:b":{}})");
  EXPECT_EQ(text_of(a.intersected(b)), R"({"f:a":{}})");
  EXPECT_TRUE(a.minus(a).empty());
  EXPECT_EQ(a.united(a), a);
}

TEST(FieldSet, HoldsThePathsThatWereInserted) {
  FieldSet set;
  ElementPath inner = {PathElement::field("spec"), PathElement::field("b")};
  ElementPath outer = {PathElement::field("spec")};
  set.insert(inner);
  EXPECT_TRUE(set.contains(inner));
  EXPECT_FALSE(set.contains(outer));
  set.insert(outer);
  set.insert({PathElement::field("spec"), PathElement::field("a")});
  EXPECT_EQ(text_of(set), R"({"f:spec":{".":{},"f:a":{},"f:b":{}}})");
  EXPECT_EQ(set.paths().size(), 3u);
  set.insert({});
  EXPECT_EQ(set.paths().size(), 3u) << "nobody owns the whole object";
}

TEST(ElementPath, ReadsAsConflictsNameIt) {
  FieldSet set =
      set_of(R"({"f:spec":{"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{"f:name":{}}},)"
             R"("f:list":{"i:2":{},"v:\"a\\\"b\"":{},"v:true":{}}}})");
  std::vector<std::string> names;
  for (const ElementPath& path : set.paths()) names.push_back(describe(path));
  EXPECT_EQ(names, (std::vector<std::string>{".spec.list[=\"a\\\"b\"]", ".spec.list[=true]",
                                             ".spec.list[2]",
                                             ".spec.ports[port=80,protocol=\"TCP\"].name"}));
}

}  // namespace
}  // namespace slipway::api
