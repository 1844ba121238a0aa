#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "api/admit.h"
#include "api/openapi/openapi.h"
#include "api/registry.h"
#include "base/json.h"

// A CustomResourceDefinition and, after a zero byte, an object of its kind: neither may crash the
// server, and what is admitted once is admitted again unchanged.
namespace {

using namespace slipway;

void admit_twice(const api::Resource& resource, json::Object object) {
  std::vector<std::string> warnings;
  if (!api::admit(object, nullptr, resource, api::Unknown::kWarn, {}, warnings)) return;
  json::Object again = object;
  auto second = api::admit(again, nullptr, resource, api::Unknown::kStrict, {}, warnings);
  SLIPWAY_ASSERT(second.has_value());
  SLIPWAY_ASSERT(json::same(object, again));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<api::Registry> registry = api::Registry::make();
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t zero = text.find('\0');
  auto crd = json::read(text.substr(0, zero));
  if (!crd || !crd->is_object() || !registry->add_custom(crd->get_object())) return 0;

  auto object = zero == std::string_view::npos ? Result<json::Value>(json::Object())
                                               : json::read(text.substr(zero + 1));
  std::string name(json::string_at(*crd, {"metadata", "name"}));
  for (const auto& resource : registry->all()) {
    if (!resource->custom) continue;
    if (object && object->is_object()) admit_twice(*resource, object->get_object());
    openapi_v3(*registry, resource->gvk.group.empty() ? "api/" + resource->gvk.version
                                                      : "apis/" + resource->gvk.api_version());
  }
  registry->remove_custom(name);
  return 0;
}
