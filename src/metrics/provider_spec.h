#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "metrics/provider.h"

namespace slipway::metrics {

class Connections;

// Key to value, as in the Secret or file the dialect names; docs/providers.md lists the keys.
// `ca.crt`, `tls.crt` and `tls.key` mean the same for every provider.
using Credentials = std::map<std::string, std::string, std::less<>>;

// RFC 6749, client credentials.
struct OAuth2 {
  std::string token_url;
  std::string client_id;
  std::string client_secret;
  std::vector<std::string> scopes = {};

  bool operator==(const OAuth2&) const = default;
};

struct BasicAuth {
  std::string username;
  std::string password;
};

// AWS Signature Version 4. Keys come from the credentials, the environment or the shared file.
struct SigV4 {
  std::string region = {};
  std::string service = "aps";
  std::string profile = {};
  std::string role_arn = {};
};

// What it takes to reach one source. Fields that a type does not use are passed over.
struct ProviderSpec {
  std::string type;          // "prometheus", …: see known_provider_types()
  std::string address = {};  // web: the URL
  std::string ns = {};       // where names of Services without a namespace belong to
  std::string region = {};   // cloudwatch
  Labels headers = {};
  bool insecure = false;  // certificates are not checked
  // Not set: the manifest names no Secret. Set: the keys the type needs must be in it.
  std::optional<Credentials> credentials = {};
  std::optional<BasicAuth> basic = {};
  std::optional<OAuth2> oauth2 = {};
  std::optional<SigV4> sigv4 = {};  // prometheus: used where the address holds aps-workspaces

  std::string method = {};     // web: GET (default), POST, PUT
  std::string body = {};       // web
  std::string json_body = {};  // web: a body with its Content-Type

  std::string api_version = {};  // datadog: v1 (default), v2
  std::string aggregator = {};   // datadog v2: last (default), …
  Labels queries = {};           // datadog v2: name to query, beside or instead of the query's text
  std::string formula = {};      // datadog v2

  int max_points = 0;  // cloudwatch: asked for at most so many; 0 leaves it to the service
};

// Connections outlive the provider. Errors: kInvalid for an unknown type (names the known ones), a
// bad address, missing keys; messages as the dialects have them, without any credential.
Result<std::unique_ptr<Provider>> make_provider(ProviderSpec spec, Connections& connections);

// Sorted.
std::vector<std::string> known_provider_types();

}  // namespace slipway::metrics
