#pragma once

#include <memory>
#include <string>
#include <vector>

#include "http/message.h"
#include "metrics/provider_spec.h"

namespace slipway::metrics {

// The texts of a spec that nobody may see: secret values among the credentials, passwords, client
// secrets, values of headers that sign in.
std::vector<std::string> secrets_of(const ProviderSpec& spec);

// The values of those headers of a request that sign in, whoever put them there.
std::vector<std::string> secrets_of(const http::Headers& headers);

// `text` with every secret in it, plain or percent-encoded, as "***".
std::string redacted(std::string text, const std::vector<std::string>& secrets);

// A provider whose errors, warnings and metadata hold none of the secrets, whatever its source
// echoes.
std::unique_ptr<Provider> make_redacting(std::unique_ptr<Provider> provider,
                                         std::vector<std::string> secrets);

}  // namespace slipway::metrics
