#include "metrics/oauth2.h"

#include <fmt/format.h>

#include "http/reason.h"
#include "metrics/limits.h"
#include "metrics/number.h"
#include "metrics/url.h"

namespace slipway::metrics {

namespace {

// For servers that do not say.
constexpr Duration kDefaultLife = std::chrono::minutes(5);
constexpr double kMaxLifeSeconds = 24 * 3600;

std::string key_of(const OAuth2& oauth2) {
  std::string key =
      "oauth2\n" + oauth2.token_url + "\n" + oauth2.client_id + "\n" + oauth2.client_secret;
  for (const std::string& scope : oauth2.scopes) key += "\n" + scope;
  return key;
}

http::ClientRequest token_request(const OAuth2& oauth2, bool in_form, Duration timeout) {
  Labels form;
  if (in_form) {
    form.emplace_back("client_id", oauth2.client_id);
    form.emplace_back("client_secret", oauth2.client_secret);
  }
  form.emplace_back("grant_type", "client_credentials");
  if (!oauth2.scopes.empty()) {
    form.emplace_back("scope", fmt::format("{}", fmt::join(oauth2.scopes, " ")));
  }
  http::ClientRequest request{.method = "POST",
                              .url = oauth2.token_url,
                              .body = format_form(form),
                              .timeout = timeout,
                              .max_body = kMaxTokenBytes};
  request.headers.add("Content-Type", "application/x-www-form-urlencoded");
  if (!in_form) {
    request.headers.add("Authorization", basic_authorization(form_escape(oauth2.client_id),
                                                             form_escape(oauth2.client_secret)));
  }
  return request;
}

struct Granted {
  std::string token;
  Duration life;
};
Result<Granted> read_token(const http::Response& response) {
  if (response.status < 200 || response.status > 299) {
    return status_failure(response,
                          fmt::format("oauth2: cannot fetch token: {} {}: {}", response.status,
                                      http::reason_of(response.status), excerpt(response.body)));
  }
  // What goes wrong here is never quoted: it may well be the token.
  auto body = json::read(response.body);
  if (!body) return fail(ErrorCode::kInvalid, "oauth2: cannot parse json");
  std::string_view token = json::string_at(*body, {"access_token"});
  if (token.empty()) {
    return fail(ErrorCode::kInvalid, "oauth2: server response missing access_token");
  }
  Duration life = kDefaultLife;
  if (const json::Value* expires = json::at(*body, {"expires_in"})) {
    double seconds = to_number(*expires).value_or(0);
    if (seconds > 0) {
      life = std::chrono::seconds(static_cast<long>(std::min(seconds, kMaxLifeSeconds)));
    }
  }
  return Granted{.token = std::string(token), .life = life};
}

}  // namespace

Task<Result<std::string>> oauth2_token(Connections& connections,
                                       std::shared_ptr<http::Client> client, OAuth2 oauth2,
                                       Budget budget) {
  if (auto kept = connections.token(key_of(oauth2))) co_return *kept;
  const std::string place = connections.place_of(oauth2.token_url, "");
  const auto request = [&](bool in_body) {
    http::ClientRequest made = token_request(oauth2, in_body, budget.left());
    made.connect_to = place;
    return made;
  };
  auto response = co_await client->send(request(false), budget.stop());
  if (response && response->status >= 400 && response->status < 500 && response->status != 429 &&
      budget.left() > Duration::zero()) {
    response = co_await client->send(request(true), budget.stop());
  }
  if (!response) {
    co_return fail(response.error().code,
                   "oauth2: cannot fetch token: " + response.error().message);
  }
  auto granted = read_token(*response);
  if (!granted) co_return fail(std::move(granted).error());
  connections.keep_token(key_of(oauth2), granted->token, connections.clock().now() + granted->life);
  co_return std::move(granted->token);
}

void forget_oauth2_token(Connections& connections, const OAuth2& oauth2) {
  connections.keep_token(key_of(oauth2), "", Time());
}

}  // namespace slipway::metrics
