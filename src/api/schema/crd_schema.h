#pragma once

#include <string>
#include <vector>

#include "api/registry.h"

namespace slipway::api {

// What a CustomResourceDefinition adds: one Resource a served version; none while its names are
// not accepted.
struct CustomKinds {
  std::string name;  // of the CRD: plural.group
  std::vector<Resource> resources;
};

// `builtin` supplies ObjectMeta, and must outlive the result. Errors: kInvalid, worded as the API
// server refuses a CRD, with all causes and the field of the first. Rules in CEL
// (x-kubernetes-validations) are kept and served, not evaluated.
Result<CustomKinds> read_crd(const json::Object& crd, const SchemaSet& builtin);

// One structural schema (openAPIV3Schema) as a Schema of `into`. Takes what it understands and
// leaves out the rest: check_crd has refused what is wrong. The root gets apiVersion, kind and
// metadata.
const Schema* read_structural_schema(const json::Object& source, const SchemaSet& builtin,
                                     SchemaSet& into);

// The same for a value inside an object.
const Schema* read_structural_value(const json::Object& source, SchemaSet& into);

}  // namespace slipway::api
