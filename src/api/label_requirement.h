#pragma once

#include "api/selector.h"

namespace slipway::api {

// Key and values must be what labels may be. Errors: kBadRequest in Kubernetes' words
// (`values[0][app]: Invalid value: "a b": …`).
Result<> check_requirement(const Requirement& requirement);

// Requirements come sorted by key; those of one key keep their order.
void sort_by_key(LabelSelector& selector);

// Kubernetes' text for a key that is none, or empty.
std::string label_key_problem(std::string_view key);

}  // namespace slipway::api
