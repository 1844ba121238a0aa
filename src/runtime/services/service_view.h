#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/selector.h"
#include "base/json.h"
#include "runtime/workloads/pod_view.h"

namespace slipway::runtime {

inline const api::Gvr kServices{"", "v1", "services"};

struct ServicePort {
  std::string name = {};
  std::string protocol = "TCP";
  std::string app_protocol = {};
  std::int32_t port = 0;
  std::string target_name = {};  // empty: by number
  std::int32_t target_port = 0;
};

// What is asked of a Service, read once from its document.
struct ServiceView {
  store::Key key = {};
  std::string uid = {};
  std::string type = {};
  std::string cluster_ip = {};
  api::LabelSelector selector = {};
  bool publish_not_ready = false;
  bool deleting = false;
  std::vector<ServicePort> ports = {};

  bool is_external() const { return type == "ExternalName"; }
  bool is_headless() const { return cluster_ip == "None"; }
  // It has yet to get an address of its own.
  bool wants_address() const { return !is_external() && cluster_ip.empty() && !deleting; }
  // Its endpoints are found by a selector, and not written by somebody.
  bool finds_pods() const { return !is_external() && !selector.empty() && !selector.nothing; }
};
ServiceView view_service(const json::Object& service);

// The port of the Pod that a Service's port leads to; none when the Pod has none of that name.
std::optional<std::int32_t> target_port(const ServicePort& port, const PodView& pod);

}  // namespace slipway::runtime
