#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

// A list that can no longer be continued as it was may still go on as things are now. The token for
// that travels with the error, as it does in Kubernetes' Status (metadata.continue).
namespace slipway::store {

// kExpired, with the token in it.
std::unexpected<Error> expired_list(std::string resume_token);
// The token in such an error; empty in all others.
std::string_view resume_token(const Error& error);

}  // namespace slipway::store
