#include "api/patch/patch_meta.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

bool same_letters(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

// As Go's decoder finds it: the exact name first, then whatever the case.
const Field* find_field(const Schema& schema, std::string_view key) {
  if (const Field* field = schema.find(key)) return field;
  auto found = std::ranges::find_if(
      schema.fields, [&](const Field& field) { return same_letters(field.name, key); });
  return found == schema.fields.end() ? nullptr : &*found;
}

std::string_view go_kind(const Schema* schema) {
  if (schema == nullptr) return "interface";
  switch (schema->shape) {
    case Shape::kAny:
    case Shape::kObject:
      return "struct";
    case Shape::kMap:
      return "map";
    case Shape::kList:
    case Shape::kBytes:
      return "slice";
    case Shape::kInt32:
      return "int32";
    case Shape::kInt64:
      return "int64";
    case Shape::kDouble:
      return "float64";
    case Shape::kBool:
      return "bool";
    default:
      return "string";
  }
}

Result<const Field*> field_of(const Schema* schema, std::string_view key) {
  if (schema == nullptr || schema->shape != Shape::kObject)
    return fail(ErrorCode::kInternal,
                fmt::format("merging an object in json but data type is not struct, instead is: {}",
                            go_kind(schema)));
  const Field* field = find_field(*schema, key);
  if (field != nullptr) return field;
  std::string_view name = schema->name;
  name.remove_prefix(name.rfind('.') + 1);
  return fail(ErrorCode::kInternal,
              fmt::format("unable to find api field in struct {} for the json field {}", name,
                          go_quoted(key)));
}

}  // namespace

Result<PatchMeta> map_meta(const Schema* schema, std::string_view key) {
  auto field = field_of(schema, key);
  if (!field) return std::unexpected(std::move(field).error());
  const PatchStrategy& patch = (*field)->patch;
  return PatchMeta{.type = (*field)->type,
                   .merge = patch.merge,
                   .replace = patch.replace,
                   .merge_key = patch.merge_key};
}

Result<PatchMeta> list_meta(const Schema* schema, std::string_view key) {
  auto meta = map_meta(schema, key);
  if (!meta) return meta;
  if (meta->type == nullptr || meta->type->shape != Shape::kList)
    return fail(ErrorCode::kInternal,
                fmt::format("expected slice or array type, but got: {}", go_kind(schema)));
  meta->type = meta->type->element;
  if (meta->type != nullptr && meta->type->shape == Shape::kList)
    return fail(ErrorCode::kInternal, "unexpected slice of slice");
  return meta;
}

bool is_plain_struct(const Schema* schema, std::string_view key) {
  if (schema == nullptr || schema->shape != Shape::kObject) return false;
  const Field* field = schema->find(key);
  return field != nullptr && !field->pointer && field->type != nullptr &&
         field->type->shape == Shape::kObject;
}

Error no_merge_key(const json::Value& map, std::string_view key) {
  return {.code = ErrorCode::kInternal,
          .message =
              fmt::format("map: {} does not contain declared merge key: {}", go_plain(map), key)};
}

Error bad_argument(std::string_view expected, const json::Value& actual) {
  return {
      .code = ErrorCode::kInternal,
      .message = fmt::format("expected a {}, but received a {}", expected,
                             actual.is_null() ? std::string_view("%!s(<nil>)") : go_type(actual))};
}

Error bad_directive(const json::Value& directive, const json::Object& patch) {
  return {.code = ErrorCode::kInternal,
          .message = fmt::format("unknown patch type: {} in map: {}", go_plain(directive),
                                 go_plain(patch))};
}

}  // namespace slipway::api
