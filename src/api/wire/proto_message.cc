#include "api/wire/proto_message.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/wire/go_types.h"
#include "api/wire/proto_scalar.h"
#include "api/wire/protobuf.h"
#include "base/utf8.h"

namespace slipway::api {

namespace {

constexpr std::string_view kJsonSchema =
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps";
constexpr std::string_view kOrArray = "JSONSchemaPropsOrArray", kOrBool = "JSONSchemaPropsOrBool",
                           kOrStrings = "JSONSchemaPropsOrStringArray";

// The first field at a path of numbers, or within the embedded message there.
const Field* field_at(const Schema& schema, const std::vector<std::uint32_t>& path) {
  for (const Field& field : schema.fields)
    if (field.proto.size() >= path.size() &&
        std::equal(path.begin(), path.end(), field.proto.begin()))
      return &field;
  return nullptr;
}

}  // namespace

Result<> MessageReader::read(std::string_view message, const Schema& schema, json::Object& out) {
  return read_message(message, schema, out, {}, 1);
}

Result<> MessageReader::count(std::size_t depth) {
  if (depth > json::kMaxDepth)
    return fail(ErrorCode::kBadRequest,
                fmt::format("protobuf: nested more than {} deep", json::kMaxDepth));
  if (++values_ > kMaxProtobufValues)
    return fail(ErrorCode::kBadRequest,
                fmt::format("protobuf: more than {} values", kMaxProtobufValues));
  return {};
}

Result<> MessageReader::read_message(std::string_view message, const Schema& schema,
                                     json::Object& out, Path path, std::size_t depth) {
  SLIPWAY_TRY(count(depth));
  path.push_back(0);
  for (WireReader reader(message); !reader.done();) {
    auto wire = reader.next();
    if (!wire) return std::unexpected(wire.error());
    path.back() = wire->number;
    const Field* field = field_at(schema, path);
    if (field == nullptr) continue;
    if (field->proto.size() == path.size()) {
      SLIPWAY_TRY(read_field(*wire, *field, out, depth + 1));
      continue;
    }
    // A struct embedded in Go: a message of its own here, nothing in JSON.
    SLIPWAY_TRY(expect_wire(*wire, WireType::kBytes));
    SLIPWAY_TRY(read_message(wire->bytes, schema, out, path, depth));
  }
  return {};
}

Result<> MessageReader::read_field(const WireField& wire, const Field& field, json::Object& out,
                                   std::size_t depth) {
  const Schema& schema = *field.type;
  json::Value& value = out[field.name];
  if (schema.shape == Shape::kList) {
    if (!value.is_array()) value = json::Array();
    return read_items(wire, schema, value.get_array(), depth + 1);
  }
  if (schema.shape == Shape::kMap || schema.shape == Shape::kObject) {
    SLIPWAY_TRY(expect_wire(wire, WireType::kBytes));
    if (!value.is_object()) value = json::Object();
    if (schema.shape == Shape::kMap)
      return read_entry(wire.bytes, schema, value.get_object(), depth + 1);
    // Written twice, the second adds to the first.
    return read_message(wire.bytes, schema, value.get_object(), {}, depth);
  }
  auto read = read_value(wire, schema, depth);
  if (!read) return std::unexpected(read.error());
  value = std::move(*read);
  return {};
}

Result<> MessageReader::read_items(const WireField& wire, const Schema& list, json::Array& out,
                                   std::size_t depth) {
  auto add = [&](const WireField& item) -> Result<> {
    SLIPWAY_TRY(count(depth));
    auto value = read_value(item, *list.element, depth);
    if (!value) return std::unexpected(value.error());
    out.push_back(std::move(*value));
    return {};
  };
  Shape shape = list.element->shape;
  bool number = shape == Shape::kInt32 || shape == Shape::kInt64 || shape == Shape::kBool;
  if (!number || wire.type != WireType::kBytes) return add(wire);
  for (WireReader packed(wire.bytes); !packed.done();) {
    auto value = packed.varint();
    if (!value) return std::unexpected(value.error());
    SLIPWAY_TRY(add({.number = wire.number, .type = WireType::kVarint, .value = *value}));
  }
  return {};
}

Result<> MessageReader::read_entry(std::string_view entry, const Schema& map, json::Object& out,
                                   std::size_t depth) {
  SLIPWAY_TRY(count(depth));
  std::string key;
  json::Value value = proto_zero(map.element->shape);
  for (WireReader reader(entry); !reader.done();) {
    auto wire = reader.next();
    if (!wire) return std::unexpected(wire.error());
    if (wire->number == 1) key = utf8::repaired(wire->bytes);
    if (wire->number != 2) continue;
    auto read = read_map_value(*wire, *map.element, depth);
    if (!read) return std::unexpected(read.error());
    value = std::move(*read);
  }
  out[key] = std::move(value);
  return {};
}

Result<json::Value> MessageReader::read_map_value(const WireField& wire, const Schema& schema,
                                                  std::size_t depth) {
  // Kubernetes has one map of free JSON: the dependencies of a JSON schema.
  if (schema.shape == Shape::kAny) {
    SLIPWAY_TRY(expect_wire(wire, WireType::kBytes));
    return read_schema_or(wire.bytes, kOrStrings, depth);
  }
  if (schema.shape != Shape::kList) return read_value(wire, schema, depth);
  // Protobuf has no maps of lists; a message holds the items.
  SLIPWAY_TRY(expect_wire(wire, WireType::kBytes));
  json::Array items;
  for (WireReader reader(wire.bytes); !reader.done();) {
    auto item = reader.next();
    if (!item) return std::unexpected(item.error());
    if (item->number == 1) SLIPWAY_TRY(read_items(*item, schema, items, depth + 1));
  }
  return json::Value(std::move(items));
}

Result<json::Value> MessageReader::read_value(const WireField& wire, const Schema& schema,
                                              std::size_t depth) {
  if (schema.shape == Shape::kObject) {
    SLIPWAY_TRY(expect_wire(wire, WireType::kBytes));
    json::Object object;
    SLIPWAY_TRY(read_message(wire.bytes, schema, object, {}, depth));
    return json::Value(std::move(object));
  }
  for (std::string_view kind : {kOrArray, kOrBool}) {
    if (schema.shape != Shape::kAny || !schema.name.ends_with(kind)) continue;
    SLIPWAY_TRY(expect_wire(wire, WireType::kBytes));
    return read_schema_or(wire.bytes, kind, depth);
  }
  std::size_t left = depth < json::kMaxDepth ? json::kMaxDepth - depth : 0;
  return read_proto_scalar(wire, schema.shape, left);
}

Result<json::Value> MessageReader::read_json_schema(std::string_view message, std::size_t depth) {
  const Schema* schema = schemas_.find(kJsonSchema);
  SLIPWAY_ASSERT(schema != nullptr);
  json::Object object;
  SLIPWAY_TRY(read_message(message, *schema, object, {}, depth));
  go_encode(object, *schema);
  return json::Value(std::move(object));
}

Result<json::Value> MessageReader::read_schema_or(std::string_view message, std::string_view kind,
                                                  std::size_t depth) {
  json::Value schema = nullptr;
  json::Array several;
  bool allows = false;
  const std::uint32_t schema_number = kind == kOrBool ? 2 : 1;
  for (WireReader reader(message); !reader.done();) {
    auto wire = reader.next();
    if (!wire) return std::unexpected(wire.error());
    if (wire->number == schema_number || (wire->number == 2 && kind == kOrArray)) {
      auto read = read_json_schema(wire->bytes, depth + 1);
      if (!read) return read;
      if (wire->number == schema_number)
        schema = std::move(*read);
      else
        several.push_back(std::move(*read));
    } else if (wire->number == 2) {
      SLIPWAY_TRY(count(depth));
      several.push_back(json::Value(utf8::repaired(wire->bytes)));
    } else if (wire->number == 1) {
      allows = wire->value != 0;
    }
  }
  if (!several.empty()) return json::Value(std::move(several));
  if (kind == kOrBool && schema.is_null()) return json::Value(allows);
  return schema;
}

}  // namespace slipway::api
