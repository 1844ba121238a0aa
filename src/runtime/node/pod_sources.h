#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace slipway::runtime {

// The machine as Pods see it: the one node.
struct NodeFacts {
  std::string name = "slipway";
  std::string address = "127.0.0.1";
  std::int64_t cpus = 1;
  std::int64_t memory_bytes = 0;
  std::int32_t first_open_port = 0;  // for whoever runs the proxy; 0: all are open
};

// The objects of its namespace that a Pod refers to, as they were found; those not there are
// missing here.
struct PodSources {
  std::map<std::string, json::Value> config_maps = {};  // by name
  std::map<std::string, json::Value> secrets = {};
  std::vector<json::Value> services = {};
};

// Names of what a Pod refers to in its environment and volumes.
struct PodReferences {
  std::set<std::string> config_maps = {};
  std::set<std::string> secrets = {};
  bool services = true;
};
PodReferences references_of(const json::Value& pod);

// Why a Pod cannot be started now. `reason` is what a container waits with, as kubelet words it.
struct Refusal {
  std::string container = {};  // empty: the whole Pod
  std::string reason;
  std::string message;
};

// The value of a downward API field (metadata.labels['app'], status.podIP). The address is not
// taken from the status, which may not have it yet. Empty for what is not there.
std::string field_value(const json::Value& pod, std::string_view path, const std::string& pod_ip,
                        const NodeFacts& node);
// metadata.labels and metadata.annotations as files hold them: key="value" lines, sorted.
std::string map_value(const json::Value& pod, std::string_view path);
// limits.cpu and such of a container, in units of `divisor` (empty: 1), rounded up. What has no
// limit is limited by the node.
std::string resource_value(const json::Value& container, std::string_view resource,
                           std::string_view divisor, const NodeFacts& node);

// The text or bytes under `key` of a ConfigMap (data, binaryData) or Secret (decoded); nothing when
// it is not there.
std::optional<std::string> config_map_key(const json::Value& config_map, std::string_view key);
std::optional<std::string> secret_key(const json::Value& secret, std::string_view key);

}  // namespace slipway::runtime
