#pragma once

#include "api/registry.h"
#include "api/rules/validate.h"

namespace slipway::api {

// Defaulting and validation of one of Kubernetes' own kinds, beyond what its schema says. Empty
// rules for kinds without any.
KindRules builtin_rules(const Gvk& gvk);

}  // namespace slipway::api
