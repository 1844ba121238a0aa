#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "server/call.h"

// What Pods use of the machine, as metrics.k8s.io tells it: `kubectl top` and autoscalers ask.
namespace slipway::server {

struct Usage {
  std::int64_t cpu_nanocores = 0;
  std::int64_t memory_bytes = 0;
};
struct PodUsageSample {
  std::string uid = {};
  Time at = {};
  Duration window = {};
  std::vector<std::pair<std::string, Usage>> containers = {};  // by name
};
struct NodeUsageSample {
  std::string name = {};
  Time at = {};
  Duration window = {};
  Usage usage = {};
};

class PodUsage {
 public:
  virtual ~PodUsage() = default;
  // The newest samples. Pods that have only just started have none.
  virtual std::vector<PodUsageSample> pods() const = 0;
  virtual std::optional<NodeUsageSample> node() const = 0;
};

inline constexpr std::string_view kUsageGroup = "metrics.k8s.io";
inline constexpr std::string_view kUsageVersion = "v1beta1";

// GET /apis/metrics.k8s.io/v1beta1/{nodes,pods} and below. Read only;
// Tables have metrics-server's columns.
Task<http::Response> get_usage(const Services& services, const PodUsage& usage,
                               http::Request request, Route route);

// The group as discovery lists it: /apis, /apis/G and /apis/G/V, plain and aggregated.
json::Object usage_group();
json::Object usage_resource_list();
json::Object usage_aggregated_group();

}  // namespace slipway::server
