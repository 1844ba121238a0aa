#pragma once

#include <compare>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/schema.h"

namespace slipway::api {

// One step of a path in managedFields: f:name, k:{"name":"x"}, v:"value", i:3.
struct PathElement {
  enum class Kind { kField, kKey, kValue, kIndex };
  Kind kind = Kind::kField;
  std::string text;  // the field's name; for the others their canonical JSON

  auto operator<=>(const PathElement&) const = default;
};

// A set of field paths, as fieldsV1 holds them: a trie. "." in the text form means that the path itself is a member.
class FieldSet {
 public:
  static Result<FieldSet> read(const json::Value& fields_v1);
  json::Value write() const;

  bool empty() const;
  void insert(const std::vector<PathElement>& path);
  bool contains(const std::vector<PathElement>& path) const;

  FieldSet united(const FieldSet& other) const;
  FieldSet minus(const FieldSet& other) const;
  FieldSet intersected(const FieldSet& other) const;
  // Every member path, in order; for messages and tests.
  std::vector<std::vector<PathElement>> paths() const;

  bool operator==(const FieldSet& other) const;

  // Each node: is the path itself a member, and what is below.
  bool member = false;
  std::map<PathElement, FieldSet> children;
};

// ".spec.containers[name=\"web\"].image", as conflicts name fields.
std::string describe(const std::vector<PathElement>& path);

// The set of all leaf fields of a value under its schema (and the members of its list-maps and sets).
FieldSet field_set_of(const json::Value& value, const Schema& schema);

}  // namespace slipway::api
