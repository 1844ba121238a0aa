#include "runtime/services/service_view.h"

#include <algorithm>

#include "api/object.h"
#include "api/rules/members.h"
#include "store/key_of.h"

namespace slipway::runtime {

namespace {

ServicePort read_port(const json::Object& given) {
  ServicePort port{.name = std::string(api::text_in(given, "name")),
                   .app_protocol = std::string(api::text_in(given, "appProtocol")),
                   .port = api::number_in<std::int32_t>(given, "port").value_or(0)};
  if (const auto protocol = api::text_in(given, "protocol"); !protocol.empty())
    port.protocol = protocol;
  port.target_name = api::text_in(given, "targetPort");
  port.target_port = api::number_in<std::int32_t>(given, "targetPort").value_or(port.port);
  return port;
}

api::LabelSelector read_selector(const json::Object& labels) {
  api::LabelSelector selector;
  for (const auto& [key, value] : labels)
    if (value.is_string())
      selector.requirements.push_back({.key = std::string(key),
                                       .op = api::Requirement::Op::kEquals,
                                       .values = {std::string(value.get_string())}});
  return selector;
}

}  // namespace

ServiceView view_service(const json::Object& service) {
  ServiceView view{.key = store::key_of(service),
                   .uid = std::string(api::uid_of(service)),
                   .deleting = api::is_deleting(service)};
  const json::Object* spec = api::object_in(service, "spec");
  if (!spec) return view;
  view.type = api::text_in(*spec, "type");
  view.cluster_ip = api::text_in(*spec, "clusterIP");
  view.publish_not_ready = api::flag_in(*spec, "publishNotReadyAddresses");
  if (const json::Object* selector = api::object_in(*spec, "selector"))
    view.selector = read_selector(*selector);
  if (const json::Array* ports = api::array_in(*spec, "ports"))
    for (const json::Value& port : *ports)
      if (port.is_object()) view.ports.push_back(read_port(port.get_object()));
  return view;
}

std::optional<std::int32_t> target_port(const ServicePort& port, const PodView& pod) {
  if (port.target_name.empty()) return port.target_port;
  const auto found = std::ranges::find_if(pod.ports, [&](const ContainerPort& own) {
    return own.name == port.target_name && own.protocol == port.protocol;
  });
  if (found == pod.ports.end()) return std::nullopt;
  return found->number;
}

}  // namespace slipway::runtime
