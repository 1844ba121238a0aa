#pragma once

#include <string>
#include <string_view>

#include "api/rules/validate.h"
#include "api/schema/pattern.h"

// The rules of the parts of a CustomResourceDefinition (apiextensions' validation.go); check_crd
// puts them together.
namespace slipway::api {

// The path of a member.
inline std::string under(const std::string& path, std::string_view key) {
  return path + "." + std::string(key);
}

// Whether a schema is structural, at `path` of the CRD.
void check_structural_schema(const json::Object& schema, const std::string& path,
                             Patterns& patterns, Findings& findings);

// How a list or a map of a schema is merged: x-kubernetes-list-type, -list-map-keys, -map-type.
void check_collection(const json::Object& schema, const std::string& path, Findings& findings);

// What a version says beside its schema: columns, scale, selectable fields. `path` is where they
// stand; `schema` may be null.
void check_version_parts(const json::Object& version, const json::Object* schema,
                         const std::string& path, Findings& findings);

// Whether a version may carry the deprecation warning that it has.
void check_deprecation(const json::Object& version, const std::string& path, Findings& findings);

}  // namespace slipway::api
