#pragma once

#include <functional>
#include <string>

#include "control/manager.h"
#include "metrics/connections.h"

namespace slipway::cli {

// What metric sources call the Services of the embedded cluster, and our own API
// (kubernetes.default.svc): `own_url` is where that listens, once it does.
metrics::Connections::Places service_places(control::Manager& manager,
                                            std::function<std::string()> own_url);

}  // namespace slipway::cli
