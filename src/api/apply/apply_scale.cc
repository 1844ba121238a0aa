#include "api/apply/apply_scale.h"

#include "api/apply/scale_managers.h"
#include "api/scale.h"

namespace slipway::api {

Result<json::Object> apply_scale(const json::Object& live, const json::Object& config,
                                 const Resource& resource, const Schema& schema,
                                 const Writer& writer, const ApplyOptions& options) {
  auto entries = read_managed_fields(live);
  if (!entries)
    return fail(ErrorCode::kInternal,
                "failed to decode managed fields: " + entries.error().message);
  json::Object scale = scale_of(live, resource);
  write_managed_fields(scale, entries_of_scale(std::move(*entries), resource));
  const Resource kind{
      .gvk = {"autoscaling", "v1", "Scale"}, .plural = "scales", .schema = &schema, .native = true};
  return server_side_apply(&scale, config, kind, writer, options);
}

Result<> take_scale_owners(json::Object& object, const json::Object& scale,
                           const Resource& resource) {
  auto of_scale = read_managed_fields(scale);
  if (!of_scale) return std::unexpected(std::move(of_scale).error());
  auto entries = read_managed_fields(object);
  if (!entries) return std::unexpected(std::move(entries).error());
  carry_back(std::move(*of_scale), *entries, resource);
  write_managed_fields(object, std::move(*entries));
  return {};
}

}  // namespace slipway::api
