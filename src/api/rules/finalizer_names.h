#pragma once

#include <string>

#include "api/rules/validate.h"

namespace slipway::api {

// Kinds of Kubernetes' own take its own finalizers (orphan, foregroundDeletion, kubernetes) and
// those with a domain.
void check_finalizer_domain(const std::string& path, const std::string& name, Findings& findings);

// What stands in a Namespace's spec.finalizers: qualified names, with a domain or Kubernetes' own.
void check_namespace_finalizer(const std::string& path, const std::string& name,
                               Findings& findings);

}  // namespace slipway::api
