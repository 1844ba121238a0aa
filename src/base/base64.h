#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace slipway {

// Standard alphabet with padding.
std::string base64_encode(std::string_view bytes);

// As Go's StdEncoding, which Kubernetes uses for Secrets: padding is required, line ends are passed
// over. The error is kInvalid and names the first wrong byte.
Result<std::string> base64_decode(std::string_view text);

}  // namespace slipway
