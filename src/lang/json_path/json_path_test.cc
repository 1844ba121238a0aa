#include "lang/json_path/json_path.h"

#include <gtest/gtest.h>

namespace slipway::lang {
namespace {

const std::string kDocument = R"({
  "metadata": {"name": "web", "annotations": {"a.b/c": "dotted"}},
  "spec": {"replicas": 3, "ports": [{"name": "http", "port": 80}, {"name": "https", "port": 443}]},
  "status": {"conditions": [{"type": "Ready", "status": "True"}, {"type": "Done", "status": "False"}]}
})";

std::string found(std::string path) {
  auto parsed = JsonPath::parse(path);
  if (!parsed) return "error";
  auto document = json::read(kDocument);
  std::string text;
  for (const auto* value : parsed->find(*document)) text += json::write(*value) + ";";
  return text;
}

TEST(JsonPath, FindsValues) {
  const std::pair<std::string, std::string> cases[] = {
      {".metadata.name", "\"web\";"},
      {"{.metadata.name}", "\"web\";"},
      {"metadata.name", "\"web\";"},
      {"$.spec.replicas", "3;"},
      {".metadata.annotations.a\\.b/c", "\"dotted\";"},
      {".metadata.annotations['a.b/c']", "\"dotted\";"},
      {".metadata.annotations[\"a.b/c\"]", "\"dotted\";"},
      {".spec.ports[0].port", "80;"},
      {".spec.ports[-1].port", "443;"},
      {".spec.ports[9].port", ""},
      {".spec.ports[*].port", "80;443;"},
      {".spec.ports.*.name", "\"http\";\"https\";"},
      {"..port", "80;443;"},
      {R"(.status.conditions[?(@.type=="Ready")].status)", "\"True\";"},
      {R"(.status.conditions[?(@.type == 'Done')].status)", "\"False\";"},
      {R"(.status.conditions[?(@.type!="Ready")].type)", "\"Done\";"},
      {".spec.ports[?(@.port>100)].name", "\"https\";"},
      {".spec.ports[?(@.port<=80)].name", "\"http\";"},
      {".spec.ports[?(@.none)].name", ""},
      {".spec.ports[?(@.port)].name", "\"http\";\"https\";"},
      {".spec.ports[0:1].port", "80;"},
      {".spec.ports[1:].port", "443;"},
      {".spec.ports[:-1].port", "80;"},
      {".spec.ports[::2].port", "80;"},
      {".spec.ports[5:9].port", ""},
      {".spec.ports[0:9223372036854775807:9223372036854775807].port", "80;"},
      {".spec.ports[1,0].port", "443;80;"},
      {".spec.ports[0]['name','port']", "\"http\";80;"},
      {"{.spec.ports[0]..*}", "\"http\";80;"},
      {"{$}{", "error"},
      {".missing.deep", ""},
      {".metadata.name.deep", ""},
  };
  for (const auto& [path, want] : cases) EXPECT_EQ(found(path), want) << path;
}

TEST(JsonPath, RefusesWhatItCannotRead) {
  for (auto bad : {".a[", ".a[x]", ".a['x", ".a..", ".a.", ".a[?(type)]", ".a[?(@.b==)]",
                   ".a[?(@.b", ".a b", ".a[?(@.b==\"x]", ".a[0:1:0]", ".a[0,", ".a[:"})
    EXPECT_EQ(found(bad), "error") << bad;
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "[?(@";
  EXPECT_EQ(found(deep), "error");
}

TEST(JsonPath, GivesUpOnSearchesWithoutEnd) {
  std::string text = "0";
  for (int i = 0; i < 90; ++i) text = "{\"a\":" + text + "}";
  auto document = json::read(text);
  ASSERT_TRUE(document);
  std::string path;
  for (int i = 0; i < 30; ++i) path += "..a";
  auto parsed = JsonPath::parse(path + "..none");
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->find(*document).empty());
}

}  // namespace
}  // namespace slipway::lang
