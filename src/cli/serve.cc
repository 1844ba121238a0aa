#include "cli/serve.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "base/log.h"
#include "cli/exit_code.h"
#include "cli/output.h"
#include "cli/serving.h"
#include "http/certificate.h"
#include "server/status.h"

namespace slipway::cli {

namespace {

http::ErrorBody status_body(int status, std::string_view message) {
  const ErrorCode code = status == 413   ? ErrorCode::kTooLarge
                         : status == 408 ? ErrorCode::kTimeout
                         : status == 429 ? ErrorCode::kTooManyRequests
                                         : ErrorCode::kBadRequest;
  const std::string text = status == 413 ? fmt::format("Request entity too large: limit is {}",
                                                       http::ServerOptions().max_body)
                                         : std::string(message);
  return {.content_type = "application/json",
          .text = server::failure_status({.code = code, .message = text})};
}

// Descriptors kept back for files, timers and connections of our own.
constexpr std::size_t kReservedDescriptors = 128;

// How many connections may be open at once. Systems commonly allow a process 1,024 descriptors
// until it asks for more.
std::size_t connections_allowed() {
  const std::size_t usual = http::ServerOptions().max_connections;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return usual;
  limit.rlim_cur = limit.rlim_max;
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) getrlimit(RLIMIT_NOFILE, &limit);
  const std::size_t descriptors = std::max<std::size_t>(limit.rlim_cur, 2 * kReservedDescriptors);
  return std::min(usual, descriptors - kReservedDescriptors);
}

bool is_any(const std::string& address) { return address == "0.0.0.0" || address == "::"; }

bool is_host(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("-._:*").find(c) != std::string_view::npos;
  });
}

// What the flags contradict each other in; empty when they do not.
std::string contradiction(const ServeOptions& options) {
  if (options.in_cluster && !options.kubeconfig.empty())
    return "--in-cluster and --kubeconfig both name a cluster; give one of them";
  if (options.for_cluster() && options.memory)
    return "--memory is about the embedded store; a cluster keeps its objects itself";
  if (options.for_cluster() && (options.no_workloads || !options.images.empty()))
    return "--images and --no-workloads are about what runs on this machine; a cluster runs its "
           "own";
  if (!options.for_cluster() && !options.context.empty())
    return "--context names a context of --kubeconfig, which is not given";
  if (!options.for_cluster() && !options.lease_namespace.empty())
    return "--lease-namespace is about a cluster; give --kubeconfig or --in-cluster too";
  for (const auto& host : options.hosts)
    if (!is_host(host)) return fmt::format("--host: \"{}\" is neither a name nor an address", host);
  return {};
}

}  // namespace

std::vector<std::string> served_hosts(const ServeOptions& options) {
  auto hosts = http::local_names();
  hosts.insert(hosts.end(), options.hosts.begin(), options.hosts.end());
  if (!is_any(options.address)) hosts.push_back(options.address);
  return hosts;
}

Result<DataDir> open_served_dir(const ServeOptions& options, const std::vector<std::string>& hosts,
                                const Clock& clock, Random& random) {
  if (!options.data.empty()) return open_data_dir(options.data, hosts, clock, random);
  auto folder = default_data_dir();
  if (!folder)
    return fail(folder.error().code, folder.error().message + "; name the folder with --data");
  return open_data_dir(*folder, hosts, clock, random);
}

Result<std::unique_ptr<http::Server>> listen(Loop& loop, const ServeOptions& options,
                                             const DataDir& dir, http::Handler& handler) {
  return http::listen(loop,
                      {.address = options.address,
                       .port = options.port,
                       .certificate_pem = dir.certificate_pem,
                       .key_pem = dir.key_pem,
                       .max_connections = connections_allowed(),
                       .error_body = status_body},
                      handler);
}

std::string served_url(const ServeOptions& options, const http::Server& server) {
  const std::string host = is_any(options.address) ? "127.0.0.1" : options.address;
  const bool v6 = host.find(':') != std::string::npos;
  return fmt::format("https://{}:{}", v6 ? "[" + host + "]" : host, server.port());
}

void announce(const ServeOptions& options, const http::Server& server) {
  note(fmt::format("ready {}", served_url(options, server)));
}

void add_connection_metrics(server::Metrics& metrics, const std::unique_ptr<http::Server>& server) {
  using Type = server::Metrics::Type;
  const auto add = [&](std::string name, std::string help, Type type, auto counter) {
    metrics.add_source(std::move(name), std::move(help), type, [&server, counter] {
      return std::vector<server::Metrics::Sample>{
          {{}, static_cast<double>(server->counters().*counter)}};
    });
  };
  using Counters = http::Server::Counters;
  add("slipway_connections", "Open connections.", Type::kGauge, &Counters::connections_open);
  add("slipway_connections_total", "Connections taken.", Type::kCounter,
      &Counters::connections_total);
  add("slipway_connections_refused_total", "Connections closed because too many were open.",
      Type::kCounter, &Counters::connections_refused);
}

std::vector<server::Metrics::Sample> queue_samples(const control::Manager& manager) {
  std::vector<server::Metrics::Sample> samples;
  for (const auto& depth : manager.depths())
    samples.push_back({{{"controller", depth.name}}, static_cast<double>(depth.keys)});
  return samples;
}

int serve(const ServeOptions& options) {
  static const std::map<std::string, log::Level> kLevels{{"debug", log::Level::kDebug},
                                                         {"info", log::Level::kInfo},
                                                         {"warning", log::Level::kWarning},
                                                         {"error", log::Level::kError}};
  if (const auto level = kLevels.find(options.log_level); level != kLevels.end())
    log::set_level(level->second);
  if (const std::string problem = contradiction(options); !problem.empty())
    return note(fmt::format("slipway: {}", problem)), kExitUsage;
  return options.for_cluster() ? serve_cluster(options) : serve_embedded(options);
}

}  // namespace slipway::cli
