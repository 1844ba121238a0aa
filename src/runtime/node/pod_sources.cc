#include "runtime/node/pod_sources.h"

#include <fmt/format.h>

#include <cmath>

#include "api/rules/place.h"
#include "base/base64.h"
#include "base/quantity.h"

namespace slipway::runtime {

namespace {

using api::Place;

void add_name(std::set<std::string>& names, const Place& name) {
  if (!name.empty()) names.emplace(name.text());
}

void add_environment(const Place& container, PodReferences& found) {
  for (const Place& source : container["envFrom"].items()) {
    add_name(found.config_maps, source["configMapRef"]["name"]);
    add_name(found.secrets, source["secretRef"]["name"]);
  }
  for (const Place& env : container["env"].items()) {
    add_name(found.config_maps, env["valueFrom"]["configMapKeyRef"]["name"]);
    add_name(found.secrets, env["valueFrom"]["secretKeyRef"]["name"]);
  }
}

std::string in_quotes(std::string_view text) {
  std::string out;
  json::append_string(out, text);
  return out;
}

double amount_of(std::string_view text) {
  const auto quantity = Quantity::parse(text);
  return quantity ? quantity->value() : 0;
}

double node_amount(std::string_view name, const NodeFacts& node) {
  if (name == "cpu") return static_cast<double>(node.cpus);
  if (name == "memory") return static_cast<double>(node.memory_bytes);
  return 0;
}

}  // namespace

PodReferences references_of(const json::Value& pod) {
  PodReferences found;
  const Place spec = Place(&pod, "")["spec"];
  for (const std::string_view list : {"initContainers", "containers"})
    for (const Place& container : spec[list].items()) add_environment(container, found);
  for (const Place& volume : spec["volumes"].items()) {
    add_name(found.config_maps, volume["configMap"]["name"]);
    add_name(found.secrets, volume["secret"]["secretName"]);
    for (const Place& source : volume["projected"]["sources"].items()) {
      add_name(found.config_maps, source["configMap"]["name"]);
      add_name(found.secrets, source["secret"]["name"]);
    }
  }
  const Place links = spec["enableServiceLinks"];
  found.services = !links.present() || links.truth();
  return found;
}

std::string field_value(const json::Value& pod, std::string_view path, const std::string& pod_ip,
                        const NodeFacts& node) {
  if (path == "status.podIP" || path == "status.podIPs") return pod_ip;
  if (path == "status.hostIP" || path == "status.hostIPs") return node.address;
  if (path == "spec.nodeName") return node.name;
  if (const auto open = path.find("['"); open != std::string_view::npos && path.ends_with("']")) {
    const std::string_view field = path.substr(0, open);
    const std::string_view key = path.substr(open + 2, path.size() - open - 4);
    const Place metadata = Place(&pod, "")["metadata"];
    return std::string(
        metadata[field == "metadata.labels" ? "labels" : "annotations"].key(key).text());
  }
  if (path == "metadata.labels" || path == "metadata.annotations") return map_value(pod, path);
  const auto dot = path.find('.');
  if (dot == std::string_view::npos) return {};
  return std::string(json::string_at(pod, {path.substr(0, dot), path.substr(dot + 1)}));
}

std::string map_value(const json::Value& pod, std::string_view path) {
  const Place map =
      Place(&pod, "")["metadata"][path == "metadata.labels" ? "labels" : "annotations"];
  std::map<std::string, std::string> sorted;
  for (const std::string_view key : map.keys()) sorted.emplace(key, map.key(key).text());
  std::string lines;
  for (const auto& [key, value] : sorted) {
    if (!lines.empty()) lines += '\n';
    lines += key + "=" + in_quotes(value);
  }
  return lines;
}

std::string resource_value(const json::Value& container, std::string_view resource,
                           std::string_view divisor, const NodeFacts& node) {
  const auto dot = resource.find('.');
  if (dot == std::string_view::npos) return "0";
  const std::string_view name = resource.substr(dot + 1);
  const Place given = Place(&container, "")["resources"][resource.substr(0, dot)].key(name);
  double amount = 0;
  if (given.present()) {
    amount = amount_of(given.text());
  } else if (resource.starts_with("limits.")) {
    amount = node_amount(name, node);
  }
  double unit = amount_of(divisor.empty() ? "1" : divisor);
  if (unit <= 0) unit = 1;
  // 0.1 / 0.001 is a little more than 100 in floating point.
  return fmt::format("{:.0f}", std::ceil(amount / unit - 1e-9));
}

std::optional<std::string> config_map_key(const json::Value& config_map, std::string_view key) {
  const Place text = Place(&config_map, "")["data"].key(key);
  if (text.is_text()) return std::string(text.text());
  const Place binary = Place(&config_map, "")["binaryData"].key(key);
  if (!binary.is_text()) return std::nullopt;
  auto decoded = base64_decode(binary.text());
  if (!decoded) return std::nullopt;
  return std::move(*decoded);
}

std::optional<std::string> secret_key(const json::Value& secret, std::string_view key) {
  const Place text = Place(&secret, "")["data"].key(key);
  if (!text.is_text()) return std::nullopt;
  auto decoded = base64_decode(text.text());
  if (!decoded) return std::nullopt;
  return std::move(*decoded);
}

}  // namespace slipway::runtime
