#pragma once

#include <string_view>

#include "base/json.h"
#include "base/time.h"
#include "store/embedded/decide.h"

// The end of a CustomResourceDefinition: marked, its objects deleted, then gone. Pure steps; the
// state they leave in the definition is all that is needed to go on after a crash.
namespace slipway::store {

inline constexpr std::string_view kCleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";
inline constexpr std::size_t kMaxSweptAtOnce =
    500;  // objects of a dying definition deleted in one go

// Marked for deletion, with the finalizer that holds it until its objects are gone.
json::Object terminating_definition(const json::Object& live, Time now);
// Once no object is left.
Decision release_definition(const json::Object& live);

}  // namespace slipway::store
