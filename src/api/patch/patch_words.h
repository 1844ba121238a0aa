#pragma once

#include <string_view>

#include "api/schema/schema.h"
#include "base/error.h"
#include "base/json.h"

namespace slipway::api {

// How the API server words that what a patch makes cannot be decoded.
struct PatchWords {
  // What Go's merge leaves of a strategic patch. It is quoted instead of the object, which is
  // restored from maps, not decoded from text.
  const json::Value* strategic = nullptr;
  // Of native kinds, the objects a merge or JSON patch went into, as a tree: their keys are quoted
  // sorted, all else in the order of Go's fields. Null: everything is sorted, as with custom kinds.
  const json::Value* touched = nullptr;
  const Schema* schema = nullptr;  // with `touched`
};

// `object` as quoted in messages.
std::string quote_patched(const json::Object& object, const PatchWords& words);

// kInvalid: ` "" is invalid: patch: Invalid value: "…": problem`.
std::unexpected<Error> cannot_decode(const json::Object& object, const PatchWords& words,
                                     std::string_view problem);

// The objects that the operations of a JSON patch go into.
json::Value touched_by(const json::Value& operations);

}  // namespace slipway::api
