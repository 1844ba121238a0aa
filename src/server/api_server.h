#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/registry.h"
#include "async/loop.h"
#include "http/server.h"
#include "server/health.h"
#include "server/metrics.h"
#include "server/pod_logs.h"
#include "server/pod_usage.h"
#include "store/store.h"

// The Kubernetes API over HTTP: discovery, OpenAPI, objects, watches, reviews, health and metrics.
namespace slipway::server {

struct VersionInfo {
  std::string program = "0.1.0";
  std::string commit = {};
  std::string built = "1970-01-01T00:00:00Z";
};

struct Options {
  std::string admin_token;      // empty: nobody is admin
  std::string view_token = {};  // empty: there is no such role
  // Host names and addresses this server is reached by, without port; requests for others are
  // refused, so that a web page cannot reach us through a name of its own that leads to 127.0.0.1.
  std::vector<std::string> hosts = {"localhost",  "127.0.0.1",          "::1",
                                    "kubernetes", "kubernetes.default", "kubernetes.default.svc"};
  VersionInfo version = {};
  // false: health, metrics and version only. For a program whose objects a cluster keeps and
  // serves.
  bool objects = true;
  std::vector<HealthCheck> checks = {};  // beside "ping"
  // Of the Pods that run here; null where none do. They outlive the server.
  PodLogs* logs = nullptr;
  const PodUsage* usage = nullptr;
};

// Beyond this many requests under way (watches not counted) the answer is 429.
inline constexpr int kMaxInFlight = 1000;

// The release of Kubernetes whose behaviour is copied; kubectl compares its own version with it.
inline constexpr const char* kKubernetesMajor = "1";
inline constexpr const char* kKubernetesMinor = "34";

// All references must outlive it. Requests may still be under way when http::Server::stop() has
// returned only if its grace was too short; destroy the HTTP server first.
std::unique_ptr<http::Handler> make_api_server(Loop& loop, api::Registry& registry,
                                               store::Store& store, Options options,
                                               Metrics& metrics);

}  // namespace slipway::server
