#pragma once

#include <string>
#include <string_view>

#include "metrics/aws_sign.h"
#include "metrics/connections.h"
#include "metrics/provider_spec.h"

namespace slipway::metrics {

// The keys of one profile in the contents of a shared credentials file. Errors: kNotFound.
Result<AwsKeys> read_shared_credentials(std::string_view contents, const std::string& profile);

// From the Secret (aws_access_key_id, aws_secret_access_key, aws_session_token; capitals too), else
// the environment, else the shared file (AWS_SHARED_CREDENTIALS_FILE, ~/.aws/credentials), where
// the profile is the one named, AWS_PROFILE, or "default". A profile that is named goes to the file
// at once. Errors: kUnauthorized, saying where was looked.
Result<AwsKeys> find_aws_keys(const ProviderSpec& spec, const std::string& profile,
                              const Connections& connections);

// Keys of a role, from AWS STS or what stands in for it (AWS_ENDPOINT_URL_STS); kept until they
// expire. Errors as a provider's.
Task<Result<AwsKeys>> assume_role(Connections& connections, AwsKeys own, std::string role_arn,
                                  std::string region, Duration timeout, std::stop_token stop);

}  // namespace slipway::metrics
