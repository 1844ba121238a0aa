#include "server/swagger_proto.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "server/proto_writer.h"

namespace slipway::server {
namespace {

std::uint64_t take_varint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (int shift = 0; !bytes.empty(); shift += 7) {
    auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

// The bytes of the first field of this number, or "-".
std::string field(std::string_view bytes, std::uint64_t number) {
  while (!bytes.empty()) {
    auto key = take_varint(bytes);
    std::string value;
    if ((key & 7) == 2) {
      auto size = take_varint(bytes);
      value = bytes.substr(0, size);
      bytes.remove_prefix(size);
    } else if ((key & 7) == 1) {
      value = bytes.substr(0, 8);
      bytes.remove_prefix(8);
    } else {
      value = std::to_string(take_varint(bytes));
    }
    if (key >> 3 == number) return value;
  }
  return "-";
}

std::string at(std::string bytes, std::initializer_list<std::uint64_t> path) {
  for (auto number : path) bytes = field(bytes, number);
  return bytes;
}

TEST(SwaggerProto, KeepsDefinitionsAndPaths) {
  auto document = json::read(R"({
    "swagger": "2.0", "info": {"title": "t", "version": "v"},
    "paths": {"/apis/apps/v1/namespaces/{namespace}/deployments/{name}": {"patch": {
      "operationId": "p",
      "parameters": [{"name": "dryRun", "in": "query", "type": "string"},
                     {"name": "body", "in": "body", "required": true, "schema": {"$ref": "#/definitions/D"}}],
      "responses": {"200": {"description": "OK", "schema": {"$ref": "#/definitions/D"}}},
      "x-kubernetes-group-version-kind": {"group": "apps", "version": "v1", "kind": "Deployment"}}}},
    "definitions": {"D": {"type": "object", "required": ["a"], "description": "d",
      "properties": {"a": {"type": "array", "items": {"type": "string"}, "default": ["x"]},
                     "m": {"type": "object", "additionalProperties": {"type": "integer", "format": "int32"}}},
      "x-kubernetes-patch-merge-key": "name"}}
  })");
  ASSERT_TRUE(document) << document.error().text();
  auto bytes = swagger_to_proto(*document);
  EXPECT_EQ(at(bytes, {1}), "2.0");
  EXPECT_EQ(at(bytes, {2, 1}), "t");
  EXPECT_EQ(at(bytes, {8, 2, 1}), "/apis/apps/v1/namespaces/{namespace}/deployments/{name}");
  auto operation = at(bytes, {8, 2, 2, 8});
  EXPECT_EQ(at(operation, {5}), "p");
  EXPECT_EQ(at(operation, {8, 1, 2, 3, 4}), "dryRun");
  EXPECT_EQ(at(operation, {8, 1, 2, 3, 6}), "string");
  EXPECT_EQ(at(operation, {9, 1, 1}), "200");
  EXPECT_EQ(at(operation, {9, 1, 2, 1, 2, 1, 1}), "#/definitions/D");
  EXPECT_EQ(at(operation, {13, 1}), "x-kubernetes-group-version-kind");
  EXPECT_EQ(at(operation, {13, 2, 2}), R"({"group":"apps","version":"v1","kind":"Deployment"})");
  auto definition = at(bytes, {9, 1, 2});
  EXPECT_EQ(at(bytes, {9, 1, 1}), "D");
  EXPECT_EQ(at(definition, {4}), "d");
  EXPECT_EQ(at(definition, {19}), "a");
  EXPECT_EQ(at(definition, {22, 1}), "object");
  EXPECT_EQ(at(definition, {25, 1, 1}), "a");
  EXPECT_EQ(at(definition, {25, 1, 2, 23, 1, 22, 1}), "string");
  EXPECT_EQ(at(definition, {25, 1, 2, 5, 2}), R"(["x"])");
  EXPECT_EQ(at(definition, {31, 1}), "x-kubernetes-patch-merge-key");
  EXPECT_EQ(at(definition, {31, 2, 2}), "\"name\"");
}

TEST(ProtoWriter, WritesNumbersAsProtobufDoes) {
  ProtoWriter out;
  out.integer(1, 300);
  out.integer(2, -1);
  out.number(3, 1.0);
  out.boolean(4, true);
  out.boolean(5, false);
  out.text(6, "");
  EXPECT_EQ(out.take(),
            std::string("\x08\xac\x02\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x19\0\0\0\0\0"
                        "\0\xf0\x3f\x20\x01",
                        25));
}

}  // namespace
}  // namespace slipway::server
