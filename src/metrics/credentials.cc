#include "metrics/credentials.h"

#include <fmt/format.h>

namespace slipway::metrics {

std::string credential(const ProviderSpec& spec, std::initializer_list<std::string_view> keys) {
  if (!spec.credentials) return {};
  for (std::string_view key : keys) {
    auto found = spec.credentials->find(key);
    if (found != spec.credentials->end() && !found->second.empty()) return found->second;
  }
  return {};
}

Result<std::string> need_credential(const ProviderSpec& spec,
                                    std::initializer_list<std::string_view> keys,
                                    std::string_view what) {
  std::string value = credential(spec, keys);
  if (!value.empty()) return value;
  return fail(ErrorCode::kInvalid,
              fmt::format("{} credentials does not contain {}", spec.type, what));
}

Result<Url> need_address(const ProviderSpec& spec, std::string_view standard) {
  std::string_view address = spec.address.empty() ? standard : std::string_view(spec.address);
  auto url = parse_url(address);
  if (url) return url;
  // Up to an @ there may be a password.
  std::size_t at = address.rfind('@');
  std::string_view shown = at == std::string_view::npos ? address : address.substr(at + 1);
  return fail(ErrorCode::kInvalid,
              fmt::format("{} address {} {}", spec.type, shown, url.error().message));
}

}  // namespace slipway::metrics
