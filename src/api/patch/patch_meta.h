#pragma once

#include "api/schema/schema.h"

// What a schema says about the strategic merge of one field, and the errors of that merge in
// Kubernetes' words.
namespace slipway::api {

inline constexpr std::string_view kPatchMarker = "$patch";

struct PatchMeta {
  const Schema* type = nullptr;  // of the map, or of the list's items
  bool merge = false;
  bool replace = false;
  std::string merge_key = {};
};
// Errors: kInternal when the schema has no such field, or one of another form.
Result<PatchMeta> map_meta(const Schema* schema, std::string_view key);
Result<PatchMeta> list_meta(const Schema* schema, std::string_view key);
// A struct that Go holds by value: it is there even when the document leaves it out.
bool is_plain_struct(const Schema* schema, std::string_view key);

Error no_merge_key(const json::Value& map, std::string_view key);
Error bad_argument(std::string_view expected, const json::Value& actual);
Error bad_directive(const json::Value& directive, const json::Object& patch);

}  // namespace slipway::api
