#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

// The little cryptography that signing in to hosted services takes, on OpenSSL.
namespace slipway::metrics {

std::string sha256(std::string_view bytes);
std::string hmac_sha256(std::string_view key, std::string_view bytes);
std::string lower_hex(std::string_view bytes);
std::string base64_url(std::string_view bytes);  // without padding

// RS256 with a private key in PEM. Errors: kInvalid when the key is none; it is not quoted.
Result<std::string> sign_rs256(const std::string& key_pem, std::string_view bytes);

}  // namespace slipway::metrics
