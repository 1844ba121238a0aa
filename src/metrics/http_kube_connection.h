#pragma once

#include <memory>
#include <string>

#include "metrics/http_source.h"
#include "metrics/kube_connection.h"
#include "metrics/url.h"

namespace slipway::metrics {

// An API server at an address of its own. `token` may be empty.
std::unique_ptr<KubeConnection> make_http_kube_connection(HttpSource source, Url address,
                                                          std::string token);

}  // namespace slipway::metrics
