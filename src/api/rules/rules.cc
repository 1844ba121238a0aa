#include "api/rules/rules.h"

#include <map>

#include "api/rules/kind_rules.h"

namespace slipway::api {

KindRules builtin_rules(const Gvk& gvk) {
  using Make = KindRules (*)();
  static const std::map<Gvk, Make> rules = {
      {{"", "v1", "ConfigMap"}, config_map_rules},
      {{"", "v1", "Endpoints"}, endpoints_rules},
      {{"", "v1", "Event"}, event_rules},
      {{"", "v1", "Namespace"}, namespace_rules},
      {{"", "v1", "Pod"}, pod_rules},
      {{"", "v1", "PodTemplate"}, pod_template_rules},
      {{"", "v1", "Secret"}, secret_rules},
      {{"", "v1", "Service"}, service_rules},
      {{"apps", "v1", "Deployment"}, deployment_rules},
      {{"apps", "v1", "ReplicaSet"}, replica_set_rules},
      {{"batch", "v1", "Job"}, job_rules},
      {{"coordination.k8s.io", "v1", "Lease"}, lease_rules},
      {{"discovery.k8s.io", "v1", "EndpointSlice"}, endpoint_slice_rules},
      {{"gateway.networking.k8s.io", "v1", "Gateway"}, gateway_rules},
      {{"gateway.networking.k8s.io", "v1", "HTTPRoute"}, http_route_rules},
      {{"networking.k8s.io", "v1", "Ingress"}, ingress_rules},
  };
  const auto found = rules.find(gvk);
  return found == rules.end() ? KindRules{} : found->second();
}

namespace {

bool missing(const json::Object& object, std::string_view field) {
  const json::Value* value = object.if_contains(field);
  return value == nullptr || value->is_null();
}

}  // namespace

void default_text(json::Object& object, std::string_view field, std::string_view text) {
  const json::Value* value = object.if_contains(field);
  const bool empty = value != nullptr && value->is_string() && value->get_string().empty();
  if (empty || missing(object, field)) object[field] = text;
}

void default_number(json::Object& object, std::string_view field, std::int64_t number, bool zero) {
  const json::Value* value = object.if_contains(field);
  const bool is_zero = value != nullptr && value->is_int64() && value->get_int64() == 0;
  if (missing(object, field) || (zero && is_zero)) object[field] = number;
}

void default_flag(json::Object& object, std::string_view field, bool flag) {
  if (missing(object, field)) object[field] = flag;
}

json::Object* member_object(json::Object& object, std::string_view field) {
  if (missing(object, field)) object[field] = json::Object();
  return object[field].if_object();
}

json::Object* existing_object(json::Object& object, std::string_view field) {
  json::Value* value = object.if_contains(field);
  return value == nullptr ? nullptr : value->if_object();
}

std::vector<json::Object*> member_objects(json::Object& object, std::string_view field) {
  std::vector<json::Object*> result;
  json::Value* value = object.if_contains(field);
  if (value == nullptr || !value->is_array()) return result;
  for (json::Value& item : value->get_array())
    if (item.is_object()) result.push_back(&item.get_object());
  return result;
}

bool is_percent(std::string_view text) {
  return text.size() > 1 && text.back() == '%' &&
         std::ranges::all_of(text.substr(0, text.size() - 1),
                             [](char c) { return c >= '0' && c <= '9'; });
}

std::int64_t int_or_percent(const json::Value& value) {
  if (value.is_int64()) return value.get_int64();
  if (!value.is_string()) return 0;
  std::string_view text = value.get_string();
  if (text.ends_with('%')) text.remove_suffix(1);
  std::int64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9' || number > 1'000'000) return 0;
    number = number * 10 + (c - '0');
  }
  return number;
}

}  // namespace slipway::api
