#include "store/embedded/kind_traits.h"

#include <algorithm>
#include <array>

#include "base/json.h"

namespace slipway::store {

namespace {
bool is(const api::Resource& resource, std::string_view group, std::string_view kind) {
  return resource.gvk.group == group && resource.gvk.kind == kind;
}

bool same_at(const json::Object& a, const json::Object& b, std::string_view part,
             std::string_view field) {
  auto find = [&](const json::Object& object) -> const json::Value* {
    const json::Value* parent = object.if_contains(part);
    return parent && parent->is_object() ? parent->as_object().if_contains(field) : nullptr;
  };
  const json::Value* left = find(a);
  const json::Value* right = find(b);
  if (!left || !right) return left == right;
  return json::same(*left, *right);
}
}  // namespace

bool is_namespace(const api::Resource& resource) { return is(resource, "", "Namespace"); }
bool is_pod(const api::Resource& resource) { return is(resource, "", "Pod"); }
bool is_definition(const api::Resource& resource) {
  return is(resource, "apiextensions.k8s.io", "CustomResourceDefinition");
}

bool has_generation(const api::Resource& resource) {
  if (!resource.native) return true;
  if (resource.gvk.group.empty()) return is_pod(resource) || is(resource, "", "PodTemplate");
  return !is(resource, "coordination.k8s.io", "Lease") && !is(resource, "events.k8s.io", "Event");
}

bool raises_generation(const json::Object& object, const json::Object& old,
                       const api::Resource& resource) {
  if (!has_generation(resource)) return false;
  auto counts = [&](std::string_view field) {
    return field != "metadata" && field != "apiVersion" && field != "kind" &&
           !(field == "status" && (resource.status_subresource || resource.native));
  };
  for (const auto& [field, value] : object) {
    if (!counts(field)) continue;
    const json::Value* before = old.if_contains(field);
    if (!before || !json::same(value, *before)) return true;
  }
  for (const auto& [field, value] : old) {
    if (counts(field) && !object.contains(field)) return true;
  }
  // Deployments hand their annotations on to their ReplicaSets; endpoint slices are found by their
  // labels.
  if (is(resource, "apps", "Deployment")) return !same_at(object, old, "metadata", "annotations");
  if (is(resource, "discovery.k8s.io", "EndpointSlice"))
    return !same_at(object, old, "metadata", "labels");
  return false;
}

bool allows_blind_update(const api::Resource& resource) {
  return resource.native && !is(resource, "coordination.k8s.io", "Lease") &&
         !is_definition(resource);
}

Dependents default_dependents(const api::Resource& resource) {
  if (resource.gvk.kind == "Event" && resource.native) return Dependents::kUnsupported;
  if (is(resource, "batch", "Job")) return Dependents::kOrphan;
  return Dependents::kDelete;
}

}  // namespace slipway::store
