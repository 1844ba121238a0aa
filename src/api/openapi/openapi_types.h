#pragma once

#include <map>
#include <string>
#include <string_view>

#include "api/schema/schema.h"

namespace slipway::api {

enum class OpenApi : std::uint8_t { kV2, kV3 };

// Writes Kubernetes' own types as OpenAPI components that refer to each other, and remembers which
// are needed.
class TypeWriter {
 public:
  explicit TypeWriter(OpenApi version) : version_(version) {}

  // {"$ref": …} to a component, which will be part of components().
  json::Object reference(const Schema& named);
  json::Object reference(std::string_view name) const;
  void add(std::string name, json::Object component) {
    written_[std::move(name)] = std::move(component);
  }
  // The body of a component.
  json::Object describe(const Schema& type);

  // Every component added or referred to, with all that these refer to.
  json::Object components();

 private:
  json::Value use(const Schema& type);
  json::Value use(const Field& field);
  json::Object scalar(Shape shape);

  OpenApi version_;
  std::map<std::string, const Schema*, std::less<>> pending_;
  std::map<std::string, json::Object, std::less<>> written_;
};

// The limits of a schema as OpenAPI words: enum, pattern, minimum …, list and map types.
void write_limits(const Schema& schema, json::Object& out);
void write_list_type(const Schema& schema, json::Object& out);

}  // namespace slipway::api
