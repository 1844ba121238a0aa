#pragma once

#include <string_view>
#include <vector>

#include "api/apply/apply_conflict.h"

// kubectl's annotation of client-side apply, which the server keeps in step for kubectl's own
// server-side applies.
namespace slipway::api {

inline constexpr std::string_view kKubectlManager = "kubectl";
inline constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";

// Takes away conflicts over fields that kubectl itself applied last, client-side, and nobody
// changed since.
void allow_last_applied(std::vector<Conflict>& conflicts, const json::Object& live,
                        const Resource& resource);

// Where the annotation is in use, it now holds `config`.
void renew_last_applied(json::Object& object, const json::Object& config);

}  // namespace slipway::api
