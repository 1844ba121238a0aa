#include "metrics/connections.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "metrics/limits.h"
#include "metrics/url.h"

namespace slipway::metrics {

namespace {

// A token that ends while its request is on the way would be refused.
constexpr Duration kTokenMargin = std::chrono::seconds(30);

bool same(const http::Tls& a, const http::Tls& b) {
  return a.ca_pem == b.ca_pem && a.certificate_pem == b.certificate_pem && a.key_pem == b.key_pem &&
         a.verify == b.verify && a.server_name == b.server_name && a.http2 == b.http2;
}

}  // namespace

Connections::Environment Connections::system_environment() {
  return [](const std::string& name) {
    const char* value = std::getenv(name.c_str());
    return std::string(value ? value : "");
  };
}

Connections::Connections(Loop& loop, Environment environment, KubeConnection* kube, Places places)
    : loop_(loop), environment_(std::move(environment)), kube_(kube), places_(std::move(places)) {}

std::string Connections::place_of(const std::string& url, const std::string& ns) const {
  const auto address = parse_url(url);
  if (!places_ || !address) return {};
  const auto colon = address->host.rfind(':');
  const bool has_port = colon != std::string::npos && !address->host.ends_with(']');
  int port = address->scheme == "https" ? 443 : 80;
  if (has_port) {
    const std::string_view digits = std::string_view(address->host).substr(colon + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (error != std::errc() || end != digits.data() + digits.size()) return {};
  }
  return places_(address->host.substr(0, has_port ? colon : std::string::npos), port, ns);
}

std::shared_ptr<http::Client> Connections::client(const http::Tls& tls) {
  auto found = std::find_if(clients_.begin(), clients_.end(),
                            [&tls](const Pooled& pooled) { return same(pooled.tls, tls); });
  if (found != clients_.end()) {
    clients_.splice(clients_.begin(), clients_, found);
  } else {
    clients_.push_front({.tls = tls, .client = http::make_client(loop_, tls)});
    if (clients_.size() > kMaxClients) clients_.pop_back();
  }
  return clients_.front().client;
}

std::optional<std::string> Connections::token(const std::string& key) {
  auto found = tokens_.find(key);
  if (found == tokens_.end()) return std::nullopt;
  if (found->second.good_until - kTokenMargin > clock().now()) return found->second.text;
  tokens_.erase(found);
  return std::nullopt;
}

void Connections::keep_token(std::string key, std::string token, Time good_until) {
  if (tokens_.size() >= kMaxTokens && !tokens_.contains(key)) {
    tokens_.erase(std::min_element(
        tokens_.begin(), tokens_.end(),
        [](const auto& a, const auto& b) { return a.second.good_until < b.second.good_until; }));
  }
  tokens_.insert_or_assign(std::move(key), Token{std::move(token), good_until});
}

}  // namespace slipway::metrics
