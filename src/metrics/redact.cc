#include "metrics/redact.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "http/message.h"
#include "metrics/url.h"

namespace slipway::metrics {

namespace {

// Shorter ones would turn ordinary words into stars.
constexpr std::size_t kShortestSecret = 4;

// What the documented keys hold that may be shown.
constexpr std::array<std::string_view, 12> kOpenKeys = {
    "account-id",    "address",  "base-url-nerdgraph",
    "base-url-rest", "ca.crt",   "newrelic_account_id",
    "org",           "project",  "region",
    "tls.crt",       "username", "site"};

bool signs_in(std::string_view header) {
  std::string name = text::lower(header);
  for (std::string_view word : {"auth", "token", "key", "secret", "cookie", "password"}) {
    if (name.contains(word)) return true;
  }
  return false;
}

class RedactingProvider final : public Provider {
 public:
  RedactingProvider(std::unique_ptr<Provider> provider, std::vector<std::string> secrets)
      : provider_(std::move(provider)), secrets_(std::move(secrets)) {}

  Task<Result<Answer>> query(Query query) override {
    auto answer = co_await provider_->query(std::move(query));
    if (!answer) co_return fail(clean(std::move(answer).error()));
    for (std::string& warning : answer->warnings) warning = redacted(std::move(warning), secrets_);
    for (auto& [name, value] : answer->metadata) value = redacted(std::move(value), secrets_);
    co_return answer;
  }

  Task<Result<>> is_online() override {
    auto online = co_await provider_->is_online();
    if (!online) co_return fail(clean(std::move(online).error()));
    co_return online;
  }

 private:
  Error clean(Error error) const {
    error.message = redacted(std::move(error.message), secrets_);
    return error;
  }

  std::unique_ptr<Provider> provider_;
  std::vector<std::string> secrets_;
};

}  // namespace

std::vector<std::string> secrets_of(const http::Headers& headers) {
  std::vector<std::string> secrets;
  for (const auto& [name, value] : headers.all()) {
    if (!signs_in(name)) continue;
    if (value.size() >= kShortestSecret) secrets.push_back(value);
    // "Bearer abc": what follows may be echoed alone.
    std::size_t blank = value.find(' ');
    if (blank != std::string::npos && value.size() - blank > kShortestSecret) {
      secrets.push_back(value.substr(blank + 1));
    }
  }
  return secrets;
}

std::vector<std::string> secrets_of(const ProviderSpec& spec) {
  std::vector<std::string> secrets;
  auto add = [&secrets](const std::string& secret) {
    if (secret.size() < kShortestSecret) return;
    secrets.push_back(secret);
    for (std::string encoded : {http::percent_encode(secret), form_escape(secret)}) {
      if (encoded != secret) secrets.push_back(std::move(encoded));
    }
  };
  if (spec.credentials) {
    for (const auto& [key, value] : *spec.credentials) {
      if (std::find(kOpenKeys.begin(), kOpenKeys.end(), key) == kOpenKeys.end()) add(value);
    }
  }
  if (spec.basic) add(spec.basic->password);
  if (spec.oauth2) add(spec.oauth2->client_secret);
  http::Headers headers;
  for (const auto& [name, value] : spec.headers) headers.add(name, value);
  for (const std::string& secret : secrets_of(headers)) add(secret);
  if (auto url = parse_url(spec.address)) add(url->password);
  // The longest first: one may be the beginning of another.
  std::sort(secrets.begin(), secrets.end(),
            [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
  return secrets;
}

std::string redacted(std::string text, const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
      text.replace(at, secret.size(), "***");
      at += 3;
    }
  }
  return text;
}

std::unique_ptr<Provider> make_redacting(std::unique_ptr<Provider> provider,
                                         std::vector<std::string> secrets) {
  return std::make_unique<RedactingProvider>(std::move(provider), std::move(secrets));
}

}  // namespace slipway::metrics
