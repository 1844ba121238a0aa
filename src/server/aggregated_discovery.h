#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "api/registry.h"

namespace slipway::server {

// v2 before v1 before v1beta1 before v1alpha1; what is no such version comes last, by name.
std::tuple<int, int, int, std::string> rank_of(const std::string& version);

// Groups with their versions, the preferred one first (v2, v1, v1beta2, v1beta1, v1alpha1, then the
// rest by name); the core group has an empty name.
std::vector<std::pair<std::string, std::vector<std::string>>> served_groups(
    const api::Registry& registry);

// "v2" or "v2beta1" when the client prefers everything in one document, else nothing.
std::optional<std::string> wants_aggregated(std::string_view accept);

// APIGroupDiscoveryList of the core group (/api) or of all others (/apis).
std::string aggregated_discovery(const api::Registry& registry, bool core, std::string_view version,
                                 bool usage = false);

}  // namespace slipway::server
