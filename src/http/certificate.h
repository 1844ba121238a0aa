#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/time.h"

namespace slipway::http {

// A certificate and its private key, as PEM texts.
struct KeyPair {
  std::string certificate_pem;
  std::string key_pem;
};

// A certificate authority of our own: P-256, valid for ten years, signs server certificates only.
Result<KeyPair> make_authority(const std::string& name, Time now);

// A server certificate for `names`, valid for a year. IP addresses among the names become IP
// entries, the rest DNS entries. Errors: kInvalid when the authority cannot be read or names are
// missing.
Result<KeyPair> make_certificate(const KeyPair& authority, const std::vector<std::string>& names,
                                 Time now);

// Whether a certificate should be made anew: unreadable, not of this authority, not valid now, with
// less than a tenth of its time left, or without one of the names.
bool needs_renewal(const KeyPair& certificate, const KeyPair& authority,
                   const std::vector<std::string>& names, Time now);

// What a local server is called.
std::vector<std::string> local_names();

}  // namespace slipway::http
