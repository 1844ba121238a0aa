#pragma once

#include "metrics/http_source.h"

namespace slipway::metrics {

// A bearer token by client credentials: one kept earlier, or a new one from the token endpoint
// (which gets our name and secret in a header, and in the form when it does not take that).
// Errors: kUnauthorized when it refuses, kUnavailable, kTimeout, kInvalid.
Task<Result<std::string>> oauth2_token(Connections& connections,
                                       std::shared_ptr<http::Client> client, OAuth2 oauth2,
                                       Budget budget);
// After the source has refused it.
void forget_oauth2_token(Connections& connections, const OAuth2& oauth2);

}  // namespace slipway::metrics
