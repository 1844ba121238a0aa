#include "runtime/node/environment.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/rules/place.h"
#include "base/text.h"
#include "runtime/node/expand.h"
#include "runtime/traffic/traffic.h"

namespace slipway::runtime {

namespace {

using api::Place;
using Done = std::expected<void, Refusal>;

// The name of a variable for a Service or port: upper case, dashes as underscores.
std::string variable_part(std::string_view name) {
  std::string part = text::upper(name);
  std::ranges::replace(part, '-', '_');
  return part;
}

bool is_variable_name(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~' && c != '='; });
}

const json::Value* find_in(const std::map<std::string, json::Value>& objects,
                           std::string_view name) {
  const auto found = objects.find(std::string(name));
  return found == objects.end() ? nullptr : &found->second;
}

// One container's environment under construction.
class Builder {
 public:
  Builder(const json::Value& pod, const json::Value& container, const PodSources& sources,
          const std::string& pod_ip, const NodeFacts& node, Environment& environment)
      : pod_(pod),
        container_(&container, ""),
        sources_(sources),
        pod_ip_(pod_ip),
        node_(node),
        environment_(environment) {}

  Done build() {
    for (const Place& source : container_["envFrom"].items())
      if (auto done = add_all_of(source); !done) return done;
    for (const Place& env : container_["env"].items())
      if (auto done = add_one(env); !done) return done;
    for (const auto& [name, value] : environment_.entries())
      if (value.find('\0') != std::string::npos)
        return refuse(fmt::format(
            "env {}: its value has a zero byte, which no environment variable can hold", name));
    return {};
  }

 private:
  std::unexpected<Refusal> refuse(std::string message) const {
    return std::unexpected(Refusal{.container = std::string(container_["name"].text()),
                                   .reason = "CreateContainerConfigError",
                                   .message = std::move(message)});
  }

  Done add_all_of(const Place& source) {
    const bool secret = source["secretRef"].present();
    const Place ref = source[secret ? "secretRef" : "configMapRef"];
    const json::Value* object =
        find_in(secret ? sources_.secrets : sources_.config_maps, ref["name"].text());
    if (!object) {
      if (ref["optional"].truth()) return {};
      return refuse(
          fmt::format("{} \"{}\" not found", secret ? "secret" : "configmap", ref["name"].text()));
    }
    for (const std::string_view key : Place(object, "")["data"].keys()) {
      const std::string name = std::string(source["prefix"].text()) + std::string(key);
      if (!is_variable_name(name)) continue;
      if (auto value = secret ? secret_key(*object, key) : config_map_key(*object, key))
        environment_.set(name, std::move(*value));
    }
    return {};
  }

  Done add_one(const Place& env) {
    const std::string_view name = env["name"].text();
    const Place from = env["valueFrom"];
    if (!from.present()) {
      environment_.set(name, environment_.expand(env["value"].text()));
    } else if (from["fieldRef"].present()) {
      environment_.set(name,
                       field_value(pod_, from["fieldRef"]["fieldPath"].text(), pod_ip_, node_));
    } else if (from["resourceFieldRef"].present()) {
      add_resource(name, from["resourceFieldRef"]);
    } else if (from["configMapKeyRef"].present()) {
      return add_key(name, from["configMapKeyRef"], false);
    } else if (from["secretKeyRef"].present()) {
      return add_key(name, from["secretKeyRef"], true);
    } else {
      return refuse(fmt::format(
          "env {}: write value, or valueFrom with fieldRef, resourceFieldRef, configMapKeyRef or "
          "secretKeyRef",
          name));
    }
    return {};
  }

  void add_resource(std::string_view name, const Place& ref) {
    json::Value container = container_.value();
    const std::string_view other = ref["containerName"].text();
    for (const std::string_view list : {"initContainers", "containers"})
      for (const Place& each : Place(&pod_, "")["spec"][list].items())
        if (!other.empty() && each["name"].text() == other) container = each.value();
    environment_.set(
        name, resource_value(container, ref["resource"].text(), ref["divisor"].text(), node_));
  }

  Done add_key(std::string_view name, const Place& ref, bool secret) {
    const json::Value* object =
        find_in(secret ? sources_.secrets : sources_.config_maps, ref["name"].text());
    const bool optional = ref["optional"].truth();
    if (!object) {
      if (optional) return {};
      return refuse(
          fmt::format("{} \"{}\" not found", secret ? "secret" : "configmap", ref["name"].text()));
    }
    const std::string_view key = ref["key"].text();
    auto value = secret ? secret_key(*object, key) : config_map_key(*object, key);
    if (!value && optional) return {};
    if (!value)
      return refuse(
          fmt::format("couldn't find key {} in {} {}/{}", key, secret ? "Secret" : "ConfigMap",
                      json::string_at(pod_, {"metadata", "namespace"}), ref["name"].text()));
    environment_.set(name, std::move(*value));
    return {};
  }

  const json::Value& pod_;
  Place container_;
  const PodSources& sources_;
  const std::string& pod_ip_;
  const NodeFacts& node_;
  Environment& environment_;
};

// Under the names of the port that is asked for stands the one that the proxy listens at.
void add_link(const Place& service, std::int32_t first_open_port, Environment& environment) {
  const std::string_view address = service["spec"]["clusterIP"].text();
  if (address.empty() || address == "None") return;
  const std::string prefix = variable_part(service["metadata"]["name"].text());
  environment.set(prefix + "_SERVICE_HOST", std::string(address));
  bool first = true;
  for (const Place& port : service["spec"]["ports"].items()) {
    const auto number = static_cast<std::int32_t>(port["port"].integer());
    const std::string protocol =
        port["protocol"].empty() ? "tcp" : text::lower(port["protocol"].text());
    const std::int32_t real =
        protocol == "tcp" ? traffic::listening_port(number, first_open_port) : number;
    const std::string url = fmt::format("{}://{}:{}", protocol, address, real);
    if (first) {
      environment.set(prefix + "_SERVICE_PORT", std::to_string(real));
      environment.set(prefix + "_PORT", url);
    }
    if (!port["name"].empty())
      environment.set(prefix + "_SERVICE_PORT_" + variable_part(port["name"].text()),
                      std::to_string(real));
    const std::string each = fmt::format("{}_PORT_{}_{}", prefix, number, text::upper(protocol));
    environment.set(each, url);
    environment.set(each + "_PROTO", protocol);
    environment.set(each + "_PORT", std::to_string(real));
    environment.set(each + "_ADDR", std::string(address));
    first = false;
  }
}

}  // namespace

void Environment::set(std::string_view name, std::string value) {
  if (const auto known = index_.find(name); known != index_.end()) {
    entries_[known->second].second = std::move(value);
    return;
  }
  index_.emplace(name, entries_.size());
  entries_.emplace_back(name, std::move(value));
}

const std::string* Environment::find(std::string_view name) const {
  const auto known = index_.find(name);
  return known == index_.end() ? nullptr : &entries_[known->second].second;
}

std::string Environment::expand(std::string_view text) const {
  return runtime::expand(text, [this](std::string_view name) -> std::optional<std::string> {
    const std::string* value = find(name);
    if (!value) return std::nullopt;
    return *value;
  });
}

void add_service_links(const std::vector<json::Value>& services, std::int32_t first_open_port,
                       Environment& environment) {
  for (const json::Value& service : services)
    add_link(Place(&service, ""), first_open_port, environment);
}

std::expected<void, Refusal> add_container_environment(
    const json::Value& pod, const json::Value& container, const PodSources& sources,
    const std::string& pod_ip, const NodeFacts& node, Environment& environment) {
  return Builder(pod, container, sources, pod_ip, node, environment).build();
}

}  // namespace slipway::runtime
