#include "api/openapi/openapi.h"

#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "api/openapi/openapi_paths.h"
#include "api/openapi/openapi_structural.h"
#include "api/openapi/openapi_types.h"

namespace slipway::api {

namespace {

constexpr std::string_view kMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.";

// Components that operations mention.
constexpr std::string_view kListMeta = "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta";
constexpr std::string_view kStatus = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";
constexpr std::string_view kDeleteOptions = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
constexpr std::string_view kScale = "io.k8s.api.autoscaling.v1.Scale";

// com.example.v1.CronTab for crontabs of example.com/v1; Kubernetes' own are of io.k8s.api.
std::string component_name(const Resource& resource) {
  if (resource.native && resource.schema != nullptr) return resource.schema->name;
  if (resource.native) {
    std::string_view group = resource.gvk.group;
    return fmt::format("io.k8s.api.{}.{}.{}", group.substr(0, group.find('.')),
                       resource.gvk.version, resource.gvk.kind);
  }
  std::vector<std::string_view> parts;
  for (std::string_view rest = resource.gvk.group; !rest.empty();) {
    std::size_t dot = rest.find('.');
    parts.insert(parts.begin(), rest.substr(0, dot));
    rest.remove_prefix(dot == std::string_view::npos ? rest.size() : dot + 1);
  }
  return fmt::format("{}.{}.{}", fmt::join(parts, "."), resource.gvk.version, resource.gvk.kind);
}

json::Array kinds_of(const Gvk& gvk, std::string_view suffix) {
  return {json::Object{{"group", gvk.group},
                       {"version", gvk.version},
                       {"kind", fmt::format("{}{}", gvk.kind, suffix)}}};
}

class DocumentWriter {
 public:
  DocumentWriter(const Registry& registry, OpenApi version)
      : registry_(registry), version_(version), types_(version) {
    types_.add(fmt::format("{}Patch", kMeta), {{"type", "object"}});
    need(kListMeta);
    need_kind(kDeleteOptions, {"", "v1", "DeleteOptions"});
    need_kind(kStatus, {"", "v1", "Status"});
  }

  void add(const Resource& resource) {
    std::string name = component_name(resource), list = name + "List";
    types_.add(name, component_of(resource));
    if (resource.stored) types_.add(list, list_of(resource, name));
    if (resource.scale) need_kind(kScale, {"autoscaling", "v1", "Scale"});
    write_paths(resource, name, list, types_, version_, paths_);
  }

  json::Value finish() {
    json::Object info{{"title", "Kubernetes"}, {"version", "v1.34"}};
    if (version_ == OpenApi::kV2) {
      return json::Object{{"swagger", "2.0"},
                          {"info", info},
                          {"paths", std::move(paths_)},
                          {"definitions", types_.components()}};
    }
    return json::Object{{"openapi", "3.0.0"},
                        {"info", info},
                        {"paths", std::move(paths_)},
                        {"components", json::Object{{"schemas", types_.components()}}}};
  }

 private:
  void need(std::string_view name) {
    if (const Schema* schema = registry_.schemas().find(name)) {
      types_.reference(*schema);
    } else {
      types_.add(std::string(name), {{"type", "object"}});
    }
  }

  void need_kind(std::string_view name, const Gvk& gvk) {
    const Schema* schema = registry_.schemas().find(name);
    json::Object body =
        schema == nullptr ? json::Object{{"type", "object"}} : types_.describe(*schema);
    body["x-kubernetes-group-version-kind"] = kinds_of(gvk, "");
    types_.add(std::string(name), std::move(body));
  }

  json::Object component_of(const Resource& resource) {
    json::Object out;
    if (resource.schema == nullptr) {
      out = {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}};
    } else if (resource.native) {
      out = types_.describe(*resource.schema);
    } else {
      out = custom_component(*resource.schema);
    }
    out["x-kubernetes-group-version-kind"] = kinds_of(resource.gvk, "");
    return out;
  }

  // As CRDs are published: written out in full, but for the metadata.
  json::Object custom_component(const Schema& schema) {
    json::Object out;
    if (schema.source.empty()) {
      out = structural_schema(schema);
    } else if (auto source = json::read(schema.source)) {
      out = source->get_object();
    }
    json::Value& properties = out["properties"];
    if (!properties.is_object()) properties.emplace_object();
    if (version_ == OpenApi::kV2) simplify_for_v2(out);
    json::Value& kept = out["properties"];
    if (!kept.is_object()) kept.emplace_object();
    kept.get_object()["apiVersion"] = json::Object{{"type", "string"}};
    kept.get_object()["kind"] = json::Object{{"type", "string"}};
    std::string metadata = fmt::format("{}ObjectMeta", kMeta);
    need(metadata);
    kept.get_object()["metadata"] = types_.reference(metadata);
    return out;
  }

  json::Object list_of(const Resource& resource, const std::string& item) {
    json::Object string{{"type", "string"}};
    json::Object properties{
        {"apiVersion", string},
        {"items", json::Object{{"type", "array"}, {"items", types_.reference(item)}}},
        {"kind", string},
        {"metadata", types_.reference(fmt::format("{}ListMeta", kMeta))}};
    return {{"type", "object"},
            {"required", json::Array{json::Value("items")}},
            {"properties", std::move(properties)},
            {"x-kubernetes-group-version-kind", kinds_of(resource.gvk, "List")}};
  }

  const Registry& registry_;
  OpenApi version_;
  TypeWriter types_;
  json::Object paths_;
};

std::string document_path(const Gvk& gvk) { return group_version_url(gvk).substr(1); }

}  // namespace

std::vector<std::string> openapi_v3_paths(const Registry& registry) {
  std::set<std::string> paths;
  for (const auto& resource : registry.all()) paths.insert(document_path(resource->gvk));
  return {paths.begin(), paths.end()};
}

json::Value openapi_v3(const Registry& registry, std::string_view path) {
  DocumentWriter document(registry, OpenApi::kV3);
  bool known = false;
  for (const auto& resource : registry.all()) {
    if (document_path(resource->gvk) != path) continue;
    document.add(*resource);
    known = true;
  }
  return known ? document.finish() : json::Value(nullptr);
}

json::Value openapi_v2(const Registry& registry) {
  DocumentWriter document(registry, OpenApi::kV2);
  for (const auto& resource : registry.all()) document.add(*resource);
  return document.finish();
}

json::Value openapi_schema(const Schema& schema, bool crd) {
  if (crd) return structural_schema(schema);
  return TypeWriter(OpenApi::kV3).describe(schema);
}

}  // namespace slipway::api
