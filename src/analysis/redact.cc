#include "analysis/redact.h"

#include <algorithm>

#include "metrics/redact.h"

namespace slipway::analysis {

namespace {

constexpr std::string_view kStars = "*****";

}  // namespace

void Redactor::add(const std::string& secret) {
  for (std::string& form : metrics::forms_of(secret)) {
    if (std::ranges::find(secrets_, form) != secrets_.end()) continue;
    if (form.size() >= kShortestSecret) long_secrets_.push_back(form);
    secrets_.push_back(std::move(form));
  }
  metrics::sort_secrets(secrets_);
  metrics::sort_secrets(long_secrets_);
}

std::string Redactor::cleaned_message(std::string text) const {
  return metrics::redacted(std::move(text), secrets_, kStars);
}

std::string Redactor::cleaned(std::string text) const {
  return metrics::redacted(std::move(text), long_secrets_, kStars);
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
