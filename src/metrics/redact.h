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

// The ways a secret may be written by whoever echoes it: as it is, without the blanks around it
// (files end in a new line), on one line, quoted as JSON, percent-encoded.
std::vector<std::string> forms_of(const std::string& secret);
// The longest first: one may be the beginning of another.
void sort_secrets(std::vector<std::string>& secrets);

// `text` with every secret in it as `stars`; and so the beginning of one, where a text was cut
// short ("…"). `secrets` are sorted.
std::string redacted(std::string text, const std::vector<std::string>& secrets,
                     std::string_view stars = "***");

// A provider whose errors, warnings and metadata hold none of the secrets, whatever its source
// echoes.
std::unique_ptr<Provider> make_redacting(std::unique_ptr<Provider> provider,
                                         std::vector<std::string> secrets);

}  // namespace slipway::metrics
