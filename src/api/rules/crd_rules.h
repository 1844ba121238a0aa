#pragma once

#include "api/registry.h"
#include "api/rules/validate.h"
#include "api/schema/pattern.h"

namespace slipway::api {

// Everything that is wrong with a CustomResourceDefinition, its schemas included.
void check_crd(const json::Object& crd, Findings& findings);
// Leaves what it compiled for whoever reads the schemas next.
void check_crd(const json::Object& crd, Patterns& patterns, Findings& findings);

// Defaults and validation of CustomResourceDefinitions. Their status says at once that the names
// are accepted and the kind is established; a store that has others of the group decides about that
// itself (crd_names.h).
KindRules crd_rules();

}  // namespace slipway::api
