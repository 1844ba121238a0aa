#pragma once

#include <string>

#include "metrics/connections.h"
#include "metrics/http_source.h"

namespace slipway::metrics {

inline constexpr std::string_view kGoogleMonitoringScope =
    "https://www.googleapis.com/auth/monitoring.read";
inline constexpr std::string_view kGoogleLoggingScope =
    "https://www.googleapis.com/auth/logging.read";

// The assertion a service account signs in with: a JWT, RS256. Errors: kInvalid; the key is never
// quoted.
Result<std::string> google_assertion(const json::Value& service_account, Time now,
                                     std::string_view scope = kGoogleMonitoringScope);

// An access token for what the scope names. `key` is the JSON of a service account or of a user's
// own credentials; when empty, GOOGLE_APPLICATION_CREDENTIALS, gcloud's file, and the metadata
// server are asked in turn. Tokens are kept until they expire. Errors as a provider's.
Task<Result<std::string>> google_token(Connections& connections, std::string key, Budget budget,
                                       std::string scope = std::string(kGoogleMonitoringScope));

}  // namespace slipway::metrics
