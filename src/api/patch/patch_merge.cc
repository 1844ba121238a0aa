#include <fmt/format.h>

#include "api/patch/drop_nulls.h"
#include "api/patch/patch.h"
#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

void merge(json::Object& document, const json::Object& patch) {
  for (const auto& [key, value] : patch) {
    if (value.is_null()) {
      json::erase(document, key);
      continue;
    }
    json::Value& here = document[key];
    if (here.is_object() && value.is_object()) {
      merge(here.get_object(), value.get_object());
      continue;
    }
    bool replaces_object = here.is_object();
    here = value;
    // Nulls delete; what is new to the document holds none to delete.
    if (!replaces_object) drop_nulls(here);
  }
}

}  // namespace

Result<json::Value> merge_patch(json::Value document, const json::Value& patch) {
  if (patch.is_null()) return fail(ErrorCode::kBadRequest, "Invalid JSON Patch");
  if (!patch.is_object())
    return fail(ErrorCode::kBadRequest,
                fmt::format("error decoding patch: json: cannot unmarshal {} into Go value of type "
                            "map[string]interface {{}}",
                            json_type(patch)));
  if (!document.is_object()) document = json::Object();
  merge(document.get_object(), patch.get_object());
  return document;
}

}  // namespace slipway::api
