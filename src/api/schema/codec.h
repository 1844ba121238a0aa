#pragma once

#include "api/schema/codec_types.h"

// One codec for all resource structs. A struct is described once, in a .cc
// (api/schema/codec_describe.h says how), and from that come decoding with field paths, writing
// back, and the schema that validation, OpenAPI and CRDs read.
namespace slipway::api {

// What is wrong in `value` goes to the error's causes, all of it: wrong types and missing required
// fields, each with its path. Unknown fields are none of its business.
template <class T>
Result<T> decode(const json::Value& value, std::string_view path = {});

// The same, but what cannot be read stays at its default and is only listed. For lint.
template <class T>
T decode_leniently(const json::Value& value, std::string_view path, Findings& findings);

// Writes the view's fields into the document it was read from. What the view does not know stays as
// it is, and so does what already says the same; elements of lists are matched by their merge key
// where there is one, else by position.
template <class T>
void update_into(json::Object& document, const T& view);

// A document of its own.
template <class T>
json::Object encode(const T& view) {
  json::Object document;
  update_into(document, view);
  return document;
}

// The schema of T, made and added to `schemas` at the first call, then found again by its name.
template <class T>
const Schema& schema_of(SchemaSet& schemas);

namespace codec {
// Of each described struct, instantiated where it is described.
template <class T>
const StructTable& table_of();
}  // namespace codec

template <class T>
T decode_leniently(const json::Value& value, std::string_view path, Findings& findings) {
  T result{};
  codec::decode_struct(codec::table_of<T>(), &result, value, codec::Path{.text = path}, findings);
  return result;
}

template <class T>
Result<T> decode(const json::Value& value, std::string_view path) {
  Findings findings;
  T result = decode_leniently<T>(value, path, findings);
  if (!findings.empty()) return codec::failure(std::move(findings));
  return result;
}

template <class T>
void update_into(json::Object& document, const T& view) {
  codec::update_struct(codec::table_of<T>(), document, &view);
}

template <class T>
const Schema& schema_of(SchemaSet& schemas) {
  return *codec::struct_schema(codec::table_of<T>(), schemas);
}

}  // namespace slipway::api
