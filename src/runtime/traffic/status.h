#pragma once

#include <optional>

#include "runtime/traffic/resolve.h"

// What is written into the status of HTTPRoutes, Gateways and Services. Pure.
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

// Of each listener that is not listened for, its name and why: one line; empty when there is none.
std::string silent_listeners(const std::vector<ListenerVerdict>& verdicts);

// The condition of a Service that is, or was, not listened for at all of its ports.
inline constexpr std::string_view kListening = "slipway.dev/Listening";
// status.conditions of the Service, of which `silent` says what is wrong; empty: nothing. Nothing
// when it says so already, or has never had to.
std::optional<json::Array> decide_service_conditions(const json::Object& service,
                                                     const std::string& silent, Time now);

// The annotation of a Service that is listened at elsewhere: "80=20080,443=20443"; empty: none.
inline constexpr std::string_view kListensAt = "slipway.dev/listens-at";
std::string render_shifted(const std::map<std::int32_t, std::int32_t>& ports);

}  // namespace slipway::runtime::traffic
