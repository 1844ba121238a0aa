#pragma once

#include <vector>

#include "api/apply/apply.h"

namespace slipway::api {

// A field that one manager applies and another owns with another value.
struct Conflict {
  ManagedEntry owner;  // without its fields
  ElementPath path;
};

// All fields of `changed` that somebody but `own` owns; by manager, then by path.
std::vector<Conflict> conflicts_with(const std::vector<ManagedEntry>& entries,
                                     const FieldSet& changed, const ManagedEntry& own);

// `Apply failed with 2 conflicts: conflicts with "kubectl-edit" using apps/v1:\n-
// .spec.replicas\n…`, with a cause for each.
Error conflict_error(const std::vector<Conflict>& conflicts);

}  // namespace slipway::api
