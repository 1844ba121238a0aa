#pragma once

#include <string>

#include "metrics/connections.h"
#include "metrics/http_source.h"

namespace slipway::metrics {

// The assertion a service account signs in with: a JWT, RS256. Errors: kInvalid; the key is never
// quoted.
Result<std::string> google_assertion(const json::Value& service_account, Time now);

// An access token to read Cloud Monitoring. `key` is the JSON of a service account or of a user's
// own credentials; when empty, GOOGLE_APPLICATION_CREDENTIALS, gcloud's file, and the metadata
// server are asked in turn. Tokens are kept until they expire. Errors as a provider's.
Task<Result<std::string>> google_token(Connections& connections, std::string key, Budget budget);

}  // namespace slipway::metrics
