#pragma once

#include <string>
#include <string_view>

#include "base/json.h"

// The metrics that Flagger knows by name, as each mesh or ingress measures them. Pure.
namespace slipway::analysis::flagger {

inline constexpr std::string_view kSuccessRate = "request-success-rate";  // percent
inline constexpr std::string_view kDuration = "request-duration";         // milliseconds

bool is_builtin(std::string_view metric);

struct BuiltinQuery {
  std::string text = {};   // PromQL, a template for lang::render_flagger
  double scale = 1;        // what is measured, times this, is in the metric's unit
  json::Object data = {};  // for the template: names as the mesh's labels spell them
};
// `provider` is the Canary's (istio, nginx, gatewayapi:v1, …); what nobody knows is istio. `data`
// is that of the Canary's own templates.
BuiltinQuery builtin_query(std::string_view metric, std::string_view provider, json::Object data);

}  // namespace slipway::analysis::flagger
