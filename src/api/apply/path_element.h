#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "base/json.h"

namespace slipway::api {

// One step of a path in managedFields: f:name, k:{"name":"x"}, v:"value", i:3.
struct PathElement {
  enum class Kind : unsigned char { kField, kKey, kValue, kIndex };
  Kind kind = Kind::kField;
  std::string text = {};  // the field's name; for the others their canonical JSON

  static PathElement field(std::string_view name) { return {Kind::kField, std::string(name)}; }
  static PathElement value(const json::Value& item);

  bool operator==(const PathElement&) const = default;
  // Kubernetes' order: fields, keys, values, indexes; numbers as numbers, text by its bytes.
  std::strong_ordering operator<=>(const PathElement& other) const;
};

// "f:spec" and the like, as fieldsV1 names them.
std::string to_string(const PathElement& element);
// Errors: kInvalid. An element of a kind nobody knows is a kNotFound, which readers pass over.
Result<PathElement> parse_path_element(std::string_view text);

// `.spec`, `[name="web"]`, `[="value"]`, `[3]`: as messages name it.
std::string describe(const PathElement& element);

}  // namespace slipway::api
