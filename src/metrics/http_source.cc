#include "metrics/http_source.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "base/utf8.h"
#include "http/reason.h"
#include "metrics/aws_credentials.h"
#include "metrics/limits.h"
#include "metrics/oauth2.h"
#include "metrics/redact.h"
#include "metrics/url.h"

namespace slipway::metrics {

namespace {

http::Tls tls_of(const ProviderSpec& spec) {
  http::Tls tls{.verify = !spec.insecure};
  if (!spec.credentials) return tls;
  auto value = [&spec](std::string_view key) {
    auto found = spec.credentials->find(key);
    return found == spec.credentials->end() ? std::string() : found->second;
  };
  tls.ca_pem = value("ca.crt");
  tls.certificate_pem = value("tls.crt");
  tls.key_pem = value("tls.key");
  return tls;
}

bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

// In an answer that is none of an error, shorter ones may be data.
constexpr std::size_t kShortestToken = 16;

// Tokens and keys that no spec holds are known here alone, and errors quote bodies: those of
// answers that cannot be read, too.
void hide(std::vector<std::string> secrets, http::Response& response) {
  if (response.status < 400) {
    std::erase_if(secrets, [&response](const std::string& secret) {
      return secret.size() < kShortestToken || !response.body.contains(secret);
    });
    if (secrets.empty()) return;
  }
  response.body = redacted(std::move(response.body), secrets);
}

// Makes `request` the one a redirect asks for, as Go's client does it.
Result<> redirect(http::ClientRequest& request, const http::Response& response) {
  auto before = parse_url(request.url);
  auto next = resolve_url(request.url, std::string(response.headers.get("Location")));
  if (!next) return fail(ErrorCode::kInvalid, "a redirect leads to no http or https address");
  auto after = parse_url(*next);
  if (!before || !after) return fail(ErrorCode::kInvalid, "a redirect leads to no usable address");
  bool downgraded = before->scheme == "https" && after->scheme == "http";
  if (before->host != after->host || downgraded) request.headers = {};
  if (response.status <= 303 && request.method != "HEAD" && request.method != "GET") {
    request.method = "GET";
    request.body.clear();
    request.headers.remove("Content-Type");
  }
  request.url = std::move(*next);
  return {};
}

}  // namespace

HttpSource::HttpSource(Connections& connections, const ProviderSpec& spec)
    : connections_(&connections), client_(connections.client(tls_of(spec))), spec_(spec) {}

Result<HttpSource> HttpSource::make(const ProviderSpec& spec, Connections& connections) {
  if (spec.oauth2 && !spec.oauth2->token_url.empty()) {
    if (spec.oauth2->client_id.empty() || spec.oauth2->client_secret.empty()) {
      return fail(ErrorCode::kInvalid, "missing mandatory parameter in metric for OAuth2 setup");
    }
  }
  HttpSource source(connections, spec);
  if (spec.oauth2 && spec.oauth2->token_url.empty()) source.spec_.oauth2.reset();
  return source;
}

Task<Result<http::Response>> HttpSource::send(Call call, Budget budget) const {
  auto address = parse_url(call.url);
  if (!address) {
    co_return fail(ErrorCode::kInvalid, "the address " + std::move(address).error().message);
  }
  http::ClientRequest request{.method = std::move(call.method),
                              .url = std::move(call.url),
                              .body = std::move(call.body),
                              .max_body = call.max_body ? call.max_body : kMaxAnswerBytes};
  if (!address->user.empty()) {
    // A name in the address is sent as a header, so that redirects and messages lose it.
    request.url = address->with(address->query.empty() ? "" : "?" + address->query);
    request.headers.set("Authorization", basic_authorization(address->user, address->password));
  }
  for (auto& [name, value] : spec_.headers) request.headers.set(name, value);
  if (spec_.basic) {
    request.headers.set("Authorization",
                        basic_authorization(spec_.basic->username, spec_.basic->password));
  }
  for (const auto& [name, value] : call.headers.all()) request.headers.set(name, value);
  SLIPWAY_CO_TRY(co_await sign_in(request, budget));
  std::vector<std::string> secrets = secrets_of(request.headers);
  auto response = co_await follow(std::move(request), budget);
  if (response) hide(std::move(secrets), *response);
  co_return response;
}

Task<Result<>> HttpSource::sign_in(http::ClientRequest& request, Budget budget) const {
  if (spec_.oauth2) {
    auto token = co_await oauth2_token(*connections_, client_, *spec_.oauth2, budget);
    if (!token) co_return fail(std::move(token).error());
    request.headers.set("Authorization", "Bearer " + *token);
  }
  if (!spec_.sigv4) co_return Result<>();
  auto keys = find_aws_keys(spec_, spec_.sigv4->profile, *connections_);
  if (keys && !spec_.sigv4->role_arn.empty()) {
    keys = co_await assume_role(*connections_, std::move(*keys), spec_.sigv4->role_arn,
                                spec_.sigv4->region, budget.left(), budget.stop());
  }
  if (!keys) co_return fail(std::move(keys).error());
  co_return sign_aws(request, *keys, spec_.sigv4->region, spec_.sigv4->service, clock().now());
}

Task<Result<http::Response>> HttpSource::follow(http::ClientRequest request, Budget budget) const {
  for (int redirects = 0; redirects <= kMaxRedirects; ++redirects) {
    request.timeout = budget.left();
    if (request.timeout <= Duration::zero()) {
      co_return fail(ErrorCode::kTimeout, "no answer within " + format_duration(budget.whole()));
    }
    request.connect_to = connections_->place_of(request.url, spec_.ns);
    auto response = co_await client_->send(request, budget.stop());
    if (!response) co_return fail(std::move(response).error());
    if (response->status == 401 && spec_.oauth2) {
      forget_oauth2_token(*connections_, *spec_.oauth2);
    }
    bool moved = is_redirect(response->status) && response->headers.has("Location");
    // A signature is good for one address only.
    if (!moved || spec_.sigv4) co_return std::move(*response);
    SLIPWAY_CO_TRY(redirect(request, *response));
  }
  co_return fail(ErrorCode::kInvalid, fmt::format("stopped after {} redirects; give the address "
                                                  "they should end at",
                                                  kMaxRedirects));
}

ErrorCode code_of_status(int status) {
  switch (status) {
    case 401:
      return ErrorCode::kUnauthorized;
    case 403:
      return ErrorCode::kForbidden;
    case 404:
      return ErrorCode::kNotFound;
    case 408:
    case 504:
      return ErrorCode::kTimeout;
    case 429:
      return ErrorCode::kTooManyRequests;
    default:
      return status >= 500 ? ErrorCode::kUnavailable : ErrorCode::kInvalid;
  }
}

std::unexpected<Error> status_failure(const http::Response& response, std::string message) {
  std::string_view wait = response.headers.get("Retry-After");
  if (!wait.empty()) message += fmt::format(" (asked to wait: {})", excerpt(wait));
  return fail(code_of_status(response.status), std::move(message));
}

std::unexpected<Error> status_failure(const http::Response& response) {
  std::string message = fmt::format("error response: Status {} {}", response.status,
                                    http::reason_of(response.status));
  if (const std::string said = excerpt(response.body); !said.empty()) message += ": " + said;
  return status_failure(response, std::move(message));
}

Result<json::Value> read_answer(std::string_view body) {
  auto value = json::read(body, {.max_bytes = kMaxAnswerBytes, .allow_nan = true});
  if (value) return value;
  return fail(ErrorCode::kInvalid, fmt::format("error unmarshaling result: {}, '{}'",
                                               value.error().message, excerpt(body)));
}

std::string excerpt(std::string_view body) {
  std::string text = http::printable_line(utf8::repaired(body.substr(0, kMaxShownBytes)));
  while (text.ends_with(' ')) text.pop_back();
  if (body.size() > kMaxShownBytes) text += "…";
  return text;
}

std::string basic_authorization(std::string_view user, std::string_view password) {
  return "Basic " + base64_encode(fmt::format("{}:{}", user, password));
}

}  // namespace slipway::metrics
