#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace slipway::api {

// The form of a value. Scalars beyond JSON's own say how the text inside is checked and shown in
// OpenAPI.
enum class Shape : std::uint8_t {
  kAny,     // whatever JSON (RawExtension, x-kubernetes-preserve-unknown-fields at the root of a
            // value)
  kObject,  // named fields
  kMap,     // free string keys, one type of value
  kList,
  kString,
  kInt32,
  kInt64,
  kDouble,
  kBool,
  kBytes,  // base64
  kTime,   // RFC 3339 seconds
  kMicroTime,
  kQuantity,
  kIntOrString,
};

enum class ListType : std::uint8_t { kAtomic, kSet, kMap };

// How a strategic merge patch treats a field.
struct PatchStrategy {
  bool merge = false;  // lists: by merge_key, or as a set of scalars
  bool replace = false;
  bool retain_keys = false;
  std::string merge_key = {};
};

struct Schema;
class Pattern;
class Patterns;

// One field of an object type.
struct Field {
  std::string name;  // as in JSON
  const Schema* type = nullptr;
  bool required = false;
  bool omit_empty = false;  // Go leaves the zero value out
  bool omit_zero = false;   // … of a struct as well
  bool pointer = false;     // Go distinguishes absent from zero
  // Its number in protobuf, behind those of the messages that are embedded structs in Go; empty
  // when the type has no protobuf form.
  std::vector<std::uint32_t> proto = {};
  PatchStrategy patch = {};
  std::optional<json::Value> default_value = {};
};

// What values may look like. One model for all kinds: the generated table of built-in kinds, our
// own structs (Boost.Describe) and the structural schemas of CRDs are all turned into this, and
// validation, defaulting, pruning, OpenAPI, both merges, managed fields and the Pod template hash
// read nothing else.
//
// Immutable once built; lives as long as the Registry that owns it. Types may refer to themselves.
struct Schema {
  std::string name = {};  // OpenAPI component name of a named type, else empty
  Shape shape = Shape::kAny;

  // kObject: in Go's order.
  std::vector<Field> fields = {};
  // kMap, kList.
  const Schema* element = nullptr;
  ListType list_type = ListType::kAtomic;
  std::vector<std::string> map_keys = {};  // of a list of ListType::kMap
  bool atomic =
      false;  // kObject, kMap: owned and merged as a whole (x-kubernetes-map-type: atomic)

  bool preserve_unknown = false;   // kObject: fields beyond `fields` are kept, not pruned
  bool embedded_resource = false;  // holds apiVersion, kind, metadata of its own
  bool nullable = false;

  // Constraints; absent is unconstrained.
  std::vector<std::string> enumeration = {};
  std::optional<double> minimum = {}, maximum = {};
  bool exclusive_minimum = false, exclusive_maximum = false;
  std::optional<std::int64_t> min_length = {}, max_length = {}, min_items = {}, max_items = {},
                              min_properties = {}, max_properties = {};
  std::optional<double> multiple_of = {};
  bool unique_items = false;
  std::string pattern = {};
  std::string format = {};
  std::vector<std::string> required_also = {};  // names beyond `fields` that must be there
  std::vector<const Schema*> all_of = {}, any_of = {}, one_of = {};
  const Schema* negated = nullptr;  // JSON schema's "not"

  // The document a CRD gave, as compact JSON, served back in OpenAPI as it came (descriptions
  // included). Empty for others.
  std::string source = {};

  const Field* find(std::string_view field) const;

  // Made by SchemaSet::seal.
  std::vector<std::uint16_t> by_name = {};       // indexes of `fields`, sorted by name
  std::shared_ptr<const Pattern> compiled = {};  // shared by schemas with the same text
};

// Owns schemas that refer to each other.
class SchemaSet {
 public:
  Schema& add(Schema schema);  // anonymous, or named: names are unique
  const Schema* find(std::string_view name) const;
  const Schema* scalar(Shape shape);  // one shared schema a plain scalar
  // When all are there: makes the indexes and compiles the patterns. Errors: a pattern that RE2
  // refuses. May be called again. Several sets of one definition share its patterns.
  Result<> seal();
  Result<> seal(Patterns& patterns);
  const std::vector<std::unique_ptr<Schema>>& all() const { return schemas_; }

 private:
  std::vector<std::unique_ptr<Schema>> schemas_;
  std::map<std::string_view, const Schema*> by_name_;  // keys point into the schemas
  std::map<Shape, const Schema*> scalars_;
  std::size_t sealed_ = 0;  // how many of schemas_
};

}  // namespace slipway::api
