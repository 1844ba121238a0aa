#pragma once

#include "api/registry.h"
#include "api/rules/validate.h"

namespace slipway::api {

// Everything that is wrong with a CustomResourceDefinition, its schemas included.
void check_crd(const json::Object& crd, Findings& findings);
// Whether a schema is structural, at `path` of the CRD.
void check_structural_schema(const json::Object& schema, const std::string& path,
                             Findings& findings);

// Defaults and validation of CustomResourceDefinitions. Their status says at once that the names
// are accepted and the kind is established, because here it is.
KindRules crd_rules();

}  // namespace slipway::api
