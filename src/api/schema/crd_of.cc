#include "api/openapi/openapi.h"
#include "api/openapi/openapi_structural.h"
#include "api/rules/members.h"

namespace slipway::api {

namespace {

json::Array texts(const std::vector<std::string>& list) {
  return json::Array(list.begin(), list.end());
}

json::Object names_of(const Resource& resource) {
  json::Object names{{"kind", resource.gvk.kind},
                     {"listKind", resource.gvk.kind + "List"},
                     {"plural", resource.plural},
                     {"singular", resource.singular}};
  if (!resource.short_names.empty()) names["shortNames"] = texts(resource.short_names);
  if (!resource.categories.empty()) names["categories"] = texts(resource.categories);
  return names;
}

json::Array columns_of(const Resource& resource) {
  json::Array columns;
  for (const PrinterColumn& column : resource.columns) {
    json::Object out{{"name", column.name}, {"type", column.type}, {"jsonPath", column.json_path}};
    if (!column.format.empty()) out["format"] = column.format;
    if (!column.description.empty()) out["description"] = column.description;
    if (column.priority != 0) out["priority"] = column.priority;
    columns.push_back(std::move(out));
  }
  return columns;
}

json::Object subresources_of(const Resource& resource) {
  json::Object out;
  if (resource.status_subresource) out["status"] = json::Object();
  if (resource.scale) {
    json::Object scale{{"specReplicasPath", resource.scale->spec_replicas},
                       {"statusReplicasPath", resource.scale->status_replicas}};
    if (!resource.scale->selector.empty()) scale["labelSelectorPath"] = resource.scale->selector;
    out["scale"] = std::move(scale);
  }
  return out;
}

json::Object schema_of(const Resource& resource) {
  if (resource.schema == nullptr)
    return {{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}};
  json::Object schema = structural_schema(*resource.schema);
  // The API server knows metadata itself and refuses to be told more.
  if (json::Value* properties = schema.if_contains("properties")) {
    properties->get_object()["metadata"] = json::Object{{"type", "object"}};
  }
  return schema;
}

}  // namespace

json::Object crd_of(const Resource& resource) {
  json::Object version{{"name", resource.gvk.version}, {"served", true}, {"storage", true}};
  version["schema"] = json::Object{{"openAPIV3Schema", schema_of(resource)}};
  if (json::Object subresources = subresources_of(resource); !subresources.empty()) {
    version["subresources"] = std::move(subresources);
  }
  if (!resource.columns.empty()) version["additionalPrinterColumns"] = columns_of(resource);
  if (!resource.selectable_fields.empty()) {
    json::Array fields;
    for (const std::string& path : resource.selectable_fields) {
      fields.push_back(json::Object{{"jsonPath", "." + path}});
    }
    version["selectableFields"] = std::move(fields);
  }
  return {{"apiVersion", "apiextensions.k8s.io/v1"},
          {"kind", "CustomResourceDefinition"},
          {"metadata", json::Object{{"name", resource.plural + "." + resource.gvk.group}}},
          {"spec", json::Object{{"group", resource.gvk.group},
                                {"names", names_of(resource)},
                                {"scope", resource.namespaced ? "Namespaced" : "Cluster"},
                                {"versions", json::Array{json::Value(std::move(version))}}}}};
}

}  // namespace slipway::api
