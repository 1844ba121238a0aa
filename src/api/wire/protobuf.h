#pragma once

#include <cstddef>
#include <string_view>

#include "api/registry.h"

namespace slipway::api {

inline constexpr std::string_view kProtobufMedia = "application/vnd.kubernetes.protobuf";
// Messages, list items and map entries of one body: a message of two bytes may become a large
// object.
inline constexpr std::size_t kMaxProtobufValues = 200'000;

// An object of one of Kubernetes' own kinds in its protobuf form, as the JSON that Go would have
// written of the same struct. DeleteOptions and Scale are read as well. An envelope that leaves out
// kind or version means `expected`. Unknown fields are passed over.
//
// Errors: kTooLarge over json::kMaxBytes; kBadRequest for what is malformed, too deep, or of a kind
// that has no protobuf form.
Result<json::Object> read_protobuf(std::string_view body, const Registry& registry,
                                   const Gvk& expected);

}  // namespace slipway::api
