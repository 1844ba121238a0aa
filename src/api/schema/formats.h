#pragma once

#include <string_view>

namespace slipway::api {

// Of quantities in custom resources, as controller-gen writes it.
inline constexpr std::string_view kQuantityPattern =
    R"(^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE])"
    R"(|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$)";

// Whether a string has a format of OpenAPI, as the API server checks formats of custom resources.
// Formats it does not know are always fine.
bool has_format(std::string_view text, std::string_view format);
// Whether a CustomResourceDefinition may name this format without a warning.
bool is_known_format(std::string_view format);

}  // namespace slipway::api
