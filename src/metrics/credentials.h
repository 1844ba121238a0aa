#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "metrics/provider_spec.h"
#include "metrics/url.h"

// How providers look into a spec, with the dialects' words for what is missing.
namespace slipway::metrics {

// The value of the first of `keys` that is there and not empty, or empty.
std::string credential(const ProviderSpec& spec, std::initializer_list<std::string_view> keys);

// The same; missing is an error: "datadog credentials does not contain WHAT".
Result<std::string> need_credential(const ProviderSpec& spec,
                                    std::initializer_list<std::string_view> keys,
                                    std::string_view what);

// The address, or `standard` when none is given. Error: "TYPE address ADDRESS is not a valid URL".
Result<Url> need_address(const ProviderSpec& spec, std::string_view standard = "");

}  // namespace slipway::metrics
