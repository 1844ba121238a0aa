#include "analysis/redact.h"

#include <algorithm>

#include "base/json.h"
#include "http/message.h"
#include "metrics/url.h"

namespace slipway::analysis {

namespace {

constexpr std::string_view kStars = "*****";

std::string replaced(std::string text, const std::vector<std::string>& secrets,
                     std::size_t shortest) {
  for (const std::string& secret : secrets) {
    if (secret.size() < shortest) continue;
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at)) {
      text.replace(at, secret.size(), kStars);
      at += kStars.size();
    }
  }
  return text;
}

}  // namespace

void Redactor::add(const std::string& secret) {
  if (secret.empty()) return;
  std::string quoted;
  json::append_string(quoted, secret);
  std::string escaped;
  json::append_string(escaped, secret, true);
  for (std::string form :
       {secret, quoted.substr(1, quoted.size() - 2), escaped.substr(1, escaped.size() - 2),
        http::percent_encode(secret), metrics::form_escape(secret)})
    if (std::ranges::find(secrets_, form) == secrets_.end()) secrets_.push_back(std::move(form));
  // One may be the beginning of another.
  std::ranges::sort(secrets_, [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
}

std::string Redactor::cleaned_message(std::string text) const {
  return replaced(std::move(text), secrets_, 1);
}

std::string Redactor::cleaned(std::string text) const {
  return replaced(std::move(text), secrets_, kShortestSecret);
}

void Redactor::clean(Measured& measured) const {
  if (empty()) return;
  auto& measurement = measured.measurement;
  measurement.message = cleaned_message(std::move(measurement.message));
  measurement.value = cleaned(std::move(measurement.value));
  for (auto& [name, value] : measurement.metadata) value = cleaned(std::move(value));
  for (auto& [name, value] : measured.metadata) value = cleaned(std::move(value));
}

}  // namespace slipway::analysis
