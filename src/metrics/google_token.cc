#include "metrics/google_token.h"

#include <fmt/format.h>

#include "base/file.h"
#include "metrics/digest.h"
#include "metrics/limits.h"
#include "metrics/number.h"
#include "metrics/url.h"

namespace slipway::metrics {

namespace {

constexpr std::string_view kTokenUri = "https://oauth2.googleapis.com/token";
constexpr Duration kAssertionLife = std::chrono::hours(1);
constexpr std::size_t kMaxKeyFile = 1024 * 1024;
constexpr double kMaxLifeSeconds = 24 * 3600;

std::string token_uri(const json::Value& key) {
  std::string_view uri = json::string_at(key, {"token_uri"});
  return std::string(uri.empty() ? kTokenUri : uri);
}

// The file that gcloud and the environment name; empty when there is none.
Result<std::string> standard_key(const Connections& connections) {
  std::string named = connections.environment("GOOGLE_APPLICATION_CREDENTIALS");
  if (!named.empty()) return file::read(named, kMaxKeyFile);
  std::string home = connections.environment("HOME");
  std::string path = home + "/.config/gcloud/application_default_credentials.json";
  if (home.empty() || !file::exists(path)) return std::string();
  return file::read(path, kMaxKeyFile);
}

http::ClientRequest metadata_request(const Connections& connections) {
  std::string host = connections.environment("GCE_METADATA_HOST");
  http::ClientRequest request{
      .url = fmt::format("http://{}/computeMetadata/v1/instance/service-accounts/default/token",
                         host.empty() ? "metadata.google.internal" : host)};
  request.headers.add("Metadata-Flavor", "Google");
  return request;
}

http::ClientRequest form_request(std::string url, const Labels& form) {
  http::ClientRequest request{.method = "POST", .url = std::move(url), .body = format_form(form)};
  request.headers.add("Content-Type", "application/x-www-form-urlencoded");
  return request;
}

Result<http::ClientRequest> token_request(const std::string& key, const Connections& connections,
                                          Time now, std::string_view scope) {
  if (key.empty()) return metadata_request(connections);
  auto document = json::read(key);
  if (!document || !document->is_object()) {
    return fail(ErrorCode::kInvalid, "the Google credentials are no JSON object");
  }
  std::string_view type = json::string_at(*document, {"type"});
  auto text = [&document](std::string_view name) {
    return std::string(json::string_at(*document, {name}));
  };
  if (type == "authorized_user") {
    return form_request(token_uri(*document), {{"client_id", text("client_id")},
                                               {"client_secret", text("client_secret")},
                                               {"grant_type", "refresh_token"},
                                               {"refresh_token", text("refresh_token")}});
  }
  if (type != "service_account") {
    return fail(ErrorCode::kInvalid,
                fmt::format("Google credentials of type \"{}\" are not supported; use those of a "
                            "service_account or authorized_user",
                            excerpt(type)));
  }
  auto assertion = google_assertion(*document, now, scope);
  if (!assertion) return fail(std::move(assertion).error());
  return form_request(
      token_uri(*document),
      {{"assertion", *assertion}, {"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"}});
}

}  // namespace

Result<std::string> google_assertion(const json::Value& service_account, Time now,
                                     std::string_view scope) {
  json::Object header;
  header["alg"] = "RS256";
  header["typ"] = "JWT";
  std::string_view id = json::string_at(service_account, {"private_key_id"});
  if (!id.empty()) header["kid"] = id;
  json::Object claims;
  claims["iss"] = json::string_at(service_account, {"client_email"});
  claims["scope"] = scope;
  claims["aud"] = token_uri(service_account);
  claims["iat"] = unix_seconds(now);
  claims["exp"] = unix_seconds(now + kAssertionLife);
  std::string unsigned_text = base64_url(json::write(json::Value(std::move(header)))) + "." +
                              base64_url(json::write(json::Value(std::move(claims))));
  auto signature =
      sign_rs256(std::string(json::string_at(service_account, {"private_key"})), unsigned_text);
  if (!signature) return fail(std::move(signature).error());
  return unsigned_text + "." + base64_url(*signature);
}

Task<Result<std::string>> google_token(Connections& connections, std::string key, Budget budget,
                                       std::string scope) {
  if (key.empty()) {
    auto standard = standard_key(connections);
    if (!standard) co_return fail(std::move(standard).error());
    key = std::move(*standard);
  }
  std::string kept_as = "google\n" + scope + "\n" + key;
  if (auto kept = connections.token(kept_as)) co_return *kept;
  auto request = token_request(key, connections, connections.clock().now(), scope);
  if (!request) co_return fail(std::move(request).error());
  request->timeout = budget.left();
  request->max_body = kMaxTokenBytes;
  auto response = co_await connections.client({})->send(std::move(*request), budget.stop());
  if (!response) co_return fail(std::move(response).error());
  if (response->status != 200) {
    co_return status_failure(*response, fmt::format("cannot sign in to Google: status {}: {}",
                                                    response->status, excerpt(response->body)));
  }
  // Not quoted: it may well be the token.
  auto body = json::read(response->body);
  std::string token(body ? json::string_at(*body, {"access_token"}) : "");
  if (token.empty()) {
    co_return fail(ErrorCode::kInvalid, "cannot sign in to Google: no access_token in the answer");
  }
  const json::Value* expires = json::at(*body, {"expires_in"});
  double seconds = expires ? to_number(*expires).value_or(0) : 0;
  auto life = std::chrono::seconds(static_cast<long>(std::clamp(seconds, 0.0, kMaxLifeSeconds)));
  connections.keep_token(std::move(kept_as), token, connections.clock().now() + life);
  co_return token;
}

}  // namespace slipway::metrics
