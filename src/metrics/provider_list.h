#pragma once

#include <memory>

#include "metrics/connections.h"
#include "metrics/provider_spec.h"

// One line a provider: its type, in lower case. The line declares make_TYPE() and puts it into the
// table of make_provider().
#define SLIPWAY_PROVIDERS(X) \
  X(cloudwatch)              \
  X(datadog)                 \
  X(dynatrace)               \
  X(externalmetrics)         \
  X(google_logs)             \
  X(graphite)                \
  X(http_check)              \
  X(influxdb)                \
  X(keptn)                   \
  X(newrelic)                \
  X(prometheus)              \
  X(skywalking)              \
  X(splunk)                  \
  X(stackdriver)             \
  X(wavefront)               \
  X(web)

namespace slipway::metrics {

#define SLIPWAY_DECLARE(type) \
  Result<std::unique_ptr<Provider>> make_##type(const ProviderSpec& spec, Connections& connections);
SLIPWAY_PROVIDERS(SLIPWAY_DECLARE)
#undef SLIPWAY_DECLARE

}  // namespace slipway::metrics
