#include "metrics/provider_spec.h"

#include <fmt/format.h>

#include "metrics/provider_list.h"
#include "metrics/redact.h"

namespace slipway::metrics {

namespace {

struct Maker {
  std::string_view type;
  Result<std::unique_ptr<Provider>> (*make)(const ProviderSpec&, Connections&);
};

#define SLIPWAY_MAKER(type) {#type, make_##type},
constexpr Maker kMakers[] = {SLIPWAY_PROVIDERS(SLIPWAY_MAKER)};
#undef SLIPWAY_MAKER

}  // namespace

std::vector<std::string> known_provider_types() {
  std::vector<std::string> types;
  for (const Maker& maker : kMakers) types.emplace_back(maker.type);
  return types;
}

Result<std::unique_ptr<Provider>> make_provider(ProviderSpec spec, Connections& connections) {
  std::vector<std::string> secrets = secrets_of(spec);
  for (const Maker& maker : kMakers) {
    if (maker.type != spec.type) continue;
    auto made = maker.make(spec, connections);
    if (made) return make_redacting(std::move(*made), std::move(secrets));
    Error error = std::move(made).error();
    error.message = redacted(std::move(error.message), secrets);
    return fail(std::move(error));
  }
  if (spec.type == "traffic")
    return fail(ErrorCode::kInvalid, fmt::format("traffic of service \"{}\" needs the embedded "
                                                 "proxy, which is not run here",
                                                 spec.address));
  return fail(ErrorCode::kInvalid, fmt::format("provider type \"{}\" is not known; it is one of {}",
                                               spec.type, fmt::join(known_provider_types(), ", ")));
}

}  // namespace slipway::metrics
