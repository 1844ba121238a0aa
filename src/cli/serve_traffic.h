#pragma once

#include <memory>
#include <string>

#include "control/events.h"
#include "metrics/provider_spec.h"
#include "runtime/traffic/controller.h"
#include "server/metrics.h"

namespace slipway::cli {

// The proxy that carries Services and HTTPRoutes, for a manager that has not started yet.
class ServedTraffic {
 public:
  // `data`: the server's folder; the proxy lives in traffic/ below it.
  ServedTraffic(control::Manager& manager, Random& random, const std::string& data);

  // After the manager has stopped. The proxy goes on, as Pods do, unless it is to end.
  Task<> stop(bool end_proxy = false);

  const runtime::traffic::TrafficController& controller() const { return controller_; }

 private:
  std::unique_ptr<Pool> pool_;
  control::Recorder recorder_;
  runtime::traffic::TrafficController controller_;
};

// Families about what went through the proxy, by Service.
void add_traffic_metrics(server::Metrics& metrics,
                         std::function<const runtime::traffic::TrafficController*()> controller);

// Answers for sources of type "traffic": `address` is the Service as NAMESPACE/NAME, the query one
// of requests, errors (share of 5xx), errorCount and latencyMean (ms).
std::unique_ptr<metrics::Provider> make_traffic_provider(const metrics::ProviderSpec& spec,
                                                         const runtime::traffic::Ledger& ledger,
                                                         Clock& clock);

}  // namespace slipway::cli
