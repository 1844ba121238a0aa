#pragma once

#include <string>

#include "base/time.h"
#include "http/client.h"

namespace slipway::metrics {

struct AwsKeys {
  std::string access_key;
  std::string secret_key;
  std::string session_token = {};
};

// AWS Signature Version 4 over method, path, query, body, and the headers Host, Content-Type and
// X-Amz-*: adds X-Amz-Date, X-Amz-Security-Token when there is one, and Authorization.
// Errors: kInvalid for a bad URL.
Result<> sign_aws(http::ClientRequest& request, const AwsKeys& keys, const std::string& region,
                  const std::string& service, Time now);

}  // namespace slipway::metrics
