#include "runtime/traffic/traffic.h"

#include <fmt/format.h>

#include "base/text.h"

namespace slipway::runtime::traffic {

std::string server_name(const Server& server) {
  return fmt::format("{}:{}", server.address, server.port);
}

std::string backend_name(const store::Key& service, std::int32_t port) {
  return fmt::format("svc:{}:{}:{}", service.ns, service.name, port);
}

std::optional<store::Key> service_of_backend(std::string_view name) {
  const auto parts = text::split(name, ':');
  if (parts.size() != 4 || parts[0] != "svc") return std::nullopt;
  return store::Key{parts[1], parts[2]};
}

std::string latency_variable(std::string_view backend) {
  // Names of variables have no '-' and no ':'; names of Services and namespaces have no '_' and no
  // '.'.
  std::string name = "proc.";
  for (const char c : backend) name += c == '-' ? '_' : c == ':' ? '.' : c;
  return name;
}

std::string service_listener_name(const store::Key& service, std::int32_t port) {
  return fmt::format("at:{}:{}:{}", service.ns, service.name, port);
}

std::string gateway_listener_name(const store::Key& gateway, std::int32_t port) {
  return fmt::format("gw:{}:{}:{}", gateway.ns, gateway.name, port);
}

}  // namespace slipway::runtime::traffic
