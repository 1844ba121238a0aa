#pragma once

#include "api/apply/field_set.h"

namespace slipway::api {

// How two objects of one kind differ, by field.
struct Comparison {
  FieldSet removed = {};
  FieldSet modified = {};
  FieldSet added = {};
};

// `native`: the documents stand for Go structs, so fields they leave out may hold Go's zero value
// all the same.
Comparison compare_objects(const json::Object& before, const json::Object& after,
                           const Schema* schema, bool native);

// Equal as JSON data.
bool same_object(const json::Object& a, const json::Object& b);

}  // namespace slipway::api
