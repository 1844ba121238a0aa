#pragma once

#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "runtime/node/pod_sources.h"

namespace slipway::runtime {

// Names and values, each name once, in the order they came up.
class Environment {
 public:
  using Entries = std::vector<std::pair<std::string, std::string>>;

  void set(std::string_view name, std::string value);
  const std::string* find(std::string_view name) const;
  const Entries& entries() const { return entries_; }
  // With $(NAME) replaced by what is in here.
  std::string expand(std::string_view text) const;

 private:
  Entries entries_;
  std::map<std::string, std::size_t, std::less<>> index_;
};

// NAME_SERVICE_HOST, NAME_SERVICE_PORT[_PORTNAME] and the older NAME_PORT… of every Service that
// has an address. TCP ports below `first_open_port` are listened at elsewhere: that is the port
// they tell (docs/traffic.md).
void add_service_links(const std::vector<json::Value>& services, std::int32_t first_open_port,
                       Environment& environment);

// Adds what envFrom and env say to what is there already, env last, with $(NAME) of earlier ones
// expanded. Refused (CreateContainerConfigError): what is referred to and is not there, unless
// optional, and values with a zero byte.
std::expected<void, Refusal> add_container_environment(
    const json::Value& pod, const json::Value& container, const PodSources& sources,
    const std::string& pod_ip, const NodeFacts& node, Environment& environment);

}  // namespace slipway::runtime
