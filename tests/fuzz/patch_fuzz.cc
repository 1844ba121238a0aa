#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "api/apply/apply.h"
#include "api/object.h"
#include "api/patch/patch.h"
#include "api/registry.h"
#include "base/json.h"

// The first byte picks the kind of patch; then an object and, after a zero byte, the patch.
// Whatever comes out must be an object that can be written and read again, and what a manager has
// applied it can apply again without a change.
namespace {

using namespace slipway;

void check(const Result<json::Value>& patched) {
  if (!patched) {
    SLIPWAY_ASSERT(!patched.error().message.empty());
    return;
  }
  std::string text = json::write(*patched);
  auto again = json::read(text, {.max_bytes = text.size(), .max_depth = 1'000});
  SLIPWAY_ASSERT(again && json::same(*again, *patched));
}

api::Writer writer(std::string manager) {
  return {.manager = std::move(manager), .now = Time(std::chrono::seconds(1'700'000'000))};
}

void apply_twice(const json::Object& live, const json::Object& config,
                 const api::Resource& resource) {
  auto first = api::server_side_apply(&live, config, resource, writer("fuzz"), {.force = true});
  if (!first) return;
  SLIPWAY_ASSERT(api::read_managed_fields(*first).has_value());
  auto second = api::server_side_apply(&*first, config, resource, writer("fuzz"), {});
  SLIPWAY_ASSERT(second.has_value());
  SLIPWAY_ASSERT(json::same(json::Value(*first), json::Value(*second)));
}

void track(const json::Object& before, json::Object after, const api::Resource& resource) {
  api::track_update(&before, after, resource, writer("fuzz"));
  SLIPWAY_ASSERT(api::read_managed_fields(after).has_value());
  json::Object unchanged = after;
  api::track_update(&after, unchanged, resource, writer("other"));
  SLIPWAY_ASSERT(json::same(json::Value(after), json::Value(unchanged)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<api::Registry> registry = api::Registry::make();
  static const auto resource = registry->find(api::Gvk{"apps", "v1", "Deployment"});
  if (size == 0) return 0;
  std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::size_t zero = text.find('\0');
  if (zero == std::string_view::npos) return 0;
  auto document = json::read(text.substr(0, zero));
  auto patch = json::read(text.substr(zero + 1));
  if (!document || !patch || !document->is_object()) return 0;
  switch (data[0] % 5) {
    case 0:
      check(api::json_patch(*document, *patch));
      break;
    case 1:
      check(api::merge_patch(*document, *patch));
      break;
    case 2:
      check(api::strategic_merge_patch(*document, *patch, *resource->schema));
      break;
    case 3:
      if (patch->is_object()) apply_twice(document->get_object(), patch->get_object(), *resource);
      break;
    default:
      if (patch->is_object()) track(document->get_object(), patch->get_object(), *resource);
  }
  return 0;
}
