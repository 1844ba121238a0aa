#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/data_dir.h"
#include "cli/serve.h"
#include "control/manager.h"
#include "http/server.h"
#include "server/metrics.h"

// What a server on the embedded store and one for a cluster have in common.
namespace slipway::cli {

inline constexpr Duration kStopGrace = std::chrono::seconds(5);

// The names clients may call this server by.
std::vector<std::string> served_hosts(const ServeOptions& options);
Result<DataDir> open_served_dir(const ServeOptions& options, const std::vector<std::string>& hosts,
                                const Clock& clock, Random& random);
Result<std::unique_ptr<http::Server>> listen(Loop& loop, const ServeOptions& options,
                                             const DataDir& dir, http::Handler& handler);
// https://127.0.0.1:8080, as a client on this machine reaches the server.
std::string served_url(const ServeOptions& options, const http::Server& server);
// Says on stderr that the server answers.
void announce(const ServeOptions& options, const http::Server& server);

// Families about connections; `server` must be there whenever somebody asks.
void add_connection_metrics(server::Metrics& metrics, const std::unique_ptr<http::Server>& server);
std::vector<server::Metrics::Sample> queue_samples(const control::Manager& manager);

int serve_embedded(const ServeOptions& options);
int serve_cluster(const ServeOptions& options);

}  // namespace slipway::cli
