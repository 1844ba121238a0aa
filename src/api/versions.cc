#include "api/versions.h"

#include "api/object.h"
#include "api/rules/validate.h"
#include "api/schema/defaults.h"

namespace slipway::api {

std::string storage_api_version(const Resource& resource) {
  return resource.storage ? resource.storage->api_version : resource.gvk.api_version();
}

void to_version(json::Object& object, const Resource& resource) {
  object["apiVersion"] = resource.gvk.api_version();
  std::vector<std::string> removed;
  if (resource.schema) prune(object, *resource.schema, removed);
}

Result<> to_schema(json::Object& object, const Schema& schema) {
  std::vector<std::string> removed;
  prune(object, schema, removed);
  return fill_in_defaults(object, schema);
}

Result<> to_storage(json::Object& object, const Resource& resource) {
  if (!resource.storage) return {};
  object["apiVersion"] = resource.storage->api_version;
  const Schema& schema = *resource.storage->schema;
  if (!is_deleting(object)) return to_schema(object, schema);
  std::vector<std::string> removed;
  prune(object, schema, removed);
  fill_in_defaults_that_fit(object, schema);
  return {};
}

}  // namespace slipway::api
