#include "metrics/redact.h"

#include <algorithm>
#include <array>

#include "base/json.h"
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

constexpr std::string_view kCut = "…";
constexpr int kMaxCuts = 64;  // of one text; we make one each

// How many of the characters before `end` begin a secret; a few may do so by chance.
std::size_t begun_before(std::string_view text, std::size_t end,
                         const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    std::size_t length = std::min(end, secret.size());
    for (; length >= kShortestSecret; --length)
      if (text.substr(end - length, length) == std::string_view(secret).substr(0, length))
        return length;
  }
  return 0;
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
  sort_secrets(secrets);
  return secrets;
}

std::vector<std::string> secrets_of(const ProviderSpec& spec) {
  std::vector<std::string> secrets;
  auto add = [&secrets](const std::string& secret) {
    for (std::string& form : forms_of(secret)) {
      if (form.size() >= kShortestSecret) secrets.push_back(std::move(form));
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
  sort_secrets(secrets);
  return secrets;
}

std::vector<std::string> forms_of(const std::string& secret) {
  std::vector<std::string> forms;
  const auto add = [&forms](std::string form) {
    if (!form.empty() && std::find(forms.begin(), forms.end(), form) == forms.end())
      forms.push_back(std::move(form));
  };
  const std::string trimmed(text::trim(secret));
  add(http::printable_line(trimmed));
  for (const std::string& plain : {secret, trimmed}) {
    add(plain);
    for (const bool escape_html : {false, true}) {
      std::string quoted;
      json::append_string(quoted, plain, escape_html);
      add(quoted.substr(1, quoted.size() - 2));
    }
    add(http::percent_encode(plain));
    add(form_escape(plain));
  }
  return forms;
}

void sort_secrets(std::vector<std::string>& secrets) {
  std::sort(secrets.begin(), secrets.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
}

std::string redacted(std::string text, const std::vector<std::string>& secrets,
                     std::string_view stars) {
  for (const std::string& secret : secrets) {
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
      text.replace(at, secret.size(), stars);
      at += stars.size();
    }
  }
  std::size_t cut = text.find(kCut);
  for (int i = 0; i < kMaxCuts && cut != std::string::npos;
       ++i, cut = text.find(kCut, cut + kCut.size())) {
    const std::size_t length = begun_before(text, cut, secrets);
    if (length == 0) continue;
    text.replace(cut - length, length, stars);
    cut = cut - length + stars.size();
  }
  return text;
}

std::unique_ptr<Provider> make_redacting(std::unique_ptr<Provider> provider,
                                         std::vector<std::string> secrets) {
  return std::make_unique<RedactingProvider>(std::move(provider), std::move(secrets));
}

}  // namespace slipway::metrics
