#pragma once

#include <optional>

#include "runtime/traffic/resolve.h"

// What is written into the status of HTTPRoutes and Gateways. Pure.
namespace slipway::runtime::traffic {

inline constexpr std::string_view kController = "slipway.dev/gateway-controller";

// status.parents of the route: ours as judged, those of other controllers as they are. Nothing when
// it says so already.
std::optional<json::Array> decide_parents(const json::Object& route,
                                          const std::vector<ParentVerdict>& verdicts, Time now);

// The whole status of a Gateway that has `address`.
std::optional<json::Object> decide_gateway_status(const json::Object& gateway,
                                                  const std::string& address,
                                                  const std::vector<ListenerVerdict>& verdicts,
                                                  Time now);

// The annotation of a Service that is listened at elsewhere: "80=20080,443=20443"; empty: none.
inline constexpr std::string_view kListensAt = "slipway.dev/listens-at";
std::string render_shifted(const std::map<std::int32_t, std::int32_t>& ports);

}  // namespace slipway::runtime::traffic
