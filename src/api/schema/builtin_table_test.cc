#include "api/schema/builtin_table.h"

#include <gtest/gtest.h>

namespace slipway::api {
namespace {

constexpr std::string_view kTable =
    "# a comment\n"
    "kind x.io/v1 Thing io.x.Thing\n"
    "type io.x.Thing\n"
    " spec io.x.Spec omitempty\n"
    " next io.x.Thing omitempty pointer\n"
    "type io.x.Spec map=atomic\n"
    " items []io.x.Item required patch=merge,retainKeys key=name list=map keys=name,port\n"
    " labels map[]string values.maxLength=63\n"
    " mode string omitempty default=\"a\\u0020b\" enum=|A|B\n"
    " other string omitempty enum=|A|B\n"
    " size int32 omitempty omitzero proto=4.12 min=1 max=9\n"
    "type io.x.Item\n"
    " name string required pattern=\"^a\\\\.b$\"\n";

TEST(BuiltinTable, ReadsTypesFieldsAndAttributes) {
  SchemaSet set;
  auto kinds = read_table(kTable, set);
  ASSERT_TRUE(kinds) << kinds.error().message;
  const Schema* thing = kinds->at({"x.io", "v1", "Thing"});
  EXPECT_EQ(thing->find("next")->type, thing) << "types may refer to themselves";
  const Schema* spec = thing->find("spec")->type;
  EXPECT_TRUE(spec->atomic);

  const Field* items = spec->find("items");
  EXPECT_TRUE(items->required && items->patch.merge && items->patch.retain_keys &&
              !items->patch.replace);
  EXPECT_EQ(items->patch.merge_key, "name");
  EXPECT_EQ(items->type->list_type, ListType::kMap);
  EXPECT_EQ(items->type->map_keys, (std::vector<std::string>{"name", "port"}));
  EXPECT_EQ(items->type->element->find("name")->type->pattern, "^a\\.b$");

  EXPECT_EQ(spec->find("labels")->type->element->max_length, 63);
  EXPECT_EQ(*spec->find("mode")->default_value, json::Value("a b"));
  EXPECT_EQ(spec->find("mode")->type->enumeration, (std::vector<std::string>{"", "A", "B"}));
  EXPECT_EQ(spec->find("mode")->type, spec->find("other")->type) << "equal limits share a schema";
  EXPECT_EQ(spec->find("size")->type->maximum, 9);
  EXPECT_TRUE(spec->find("size")->omit_zero);
  EXPECT_EQ(spec->find("size")->proto, (std::vector<std::uint32_t>{4, 12}));
  EXPECT_TRUE(items->proto.empty());
}

TEST(BuiltinTable, NamesTheLineThatIsWrong) {
  struct Case {
    std::string_view text, message;
  };
  for (auto [text, message] : {
           Case{"kind v1 X io.X\n", "line 1: no type \"io.X\""},
           Case{"type a\n x no.such.type\n", "line 2: no type \"no.such.type\""},
           Case{"type a\n x string minn=3\n", "line 2: \"minn=3\" is no attribute of a field"},
           Case{"type a\n x int32 min=three\n", "line 2: \"min=three\" is no attribute of a field"},
           Case{"type a\n x string proto=1.\n", "line 2: \"proto=1.\" is no attribute of a field"},
           Case{" x string\n", "line 1: a field without a type"},
           Case{"type a\ntype a\n", "line 2: type \"a\" has no name or is there twice"},
           Case{"tipe a\n", "line 1: \"tipe\" is neither kind nor type"},
       }) {
    SchemaSet set;
    auto kinds = read_table(text, set);
    ASSERT_FALSE(kinds) << text;
    EXPECT_EQ(kinds.error().message, message);
  }
}

TEST(BuiltinTable, CarriesTheKindsOfKubernetes) {
  SchemaSet set;
  auto kinds = read_table(builtin_table(), set);
  ASSERT_TRUE(kinds) << kinds.error().message;
  ASSERT_TRUE(set.seal());
  const Schema* pod_spec = set.find("io.k8s.api.core.v1.PodSpec");
  ASSERT_NE(pod_spec, nullptr);
  const Field* containers = pod_spec->find("containers");
  EXPECT_EQ(containers->patch.merge_key, "name");
  EXPECT_EQ(containers->type->element->find("ports")->type->map_keys,
            (std::vector<std::string>{"containerPort", "protocol"}));
  EXPECT_TRUE(kinds->contains({"gateway.networking.k8s.io", "v1", "HTTPRoute"}));
}

}  // namespace
}  // namespace slipway::api
