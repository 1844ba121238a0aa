#include <fmt/format.h>

#include "api/apply/apply_scale.h"
#include "api/object.h"
#include "api/patch/patch.h"
#include "api/scale.h"
#include "api/wire/go_format.h"
#include "api/wire/go_types.h"
#include "store/embedded/decide.h"

// Patches of the scale subresource: of the object's Scale, and through it of its replicas.
namespace slipway::store {

namespace {

// A Scale is one of Kubernetes' own structs, whatever kind it is the Scale of.
api::Resource scale_kind(const Request& request) {
  SLIPWAY_ASSERT(request.scale_type);
  return {.gvk = {"autoscaling", "v1", "Scale"},
          .plural = "scales",
          .schema = request.scale_type,
          .native = true};
}

Result<json::Object> patched_scale(const Patch& patch, const Key& key, const json::Object& live,
                                   const Request& request) {
  if (patch.type == PatchType::kApply) {
    Result<json::Object> body = applied_body(patch);
    if (!body) return body;
    SLIPWAY_ASSERT(request.scale_type);
    return api::apply_scale(live, *body, request.resource, *request.scale_type,
                            {.manager = request.options.manager,
                             .subresource = request.options.subresource,
                             .now = request.now},
                            {.force = patch.force});
  }
  json::Value scale = api::scale_of(live, request.resource);
  // A Scale has no lists: its strategic merge is the plain one.
  Result<json::Value> result = patch.type == PatchType::kJson
                                   ? api::json_patch(std::move(scale), patch.body)
                                   : api::merge_patch(std::move(scale), patch.body);
  if (!result) return std::unexpected(std::move(result).error());
  if (!result->is_object()) return fail(ErrorCode::kInvalid, "the patch leaves no object");
  json::Object& object = result->as_object();
  const api::Resource kind = scale_kind(request);
  PatchedRequest worded{{kind, request.options, request.now, Sent::kPatch}, {}};
  SLIPWAY_TRY(decode_patched(object, patch, key, worded));
  if (auto problem = api::go_decode(object, *kind.schema))
    return api::cannot_decode(object, worded.request.words, *problem);
  return std::move(object);
}

Result<> check_name(const json::Object& scale, const Key& key) {
  std::string_view name = api::name_of(scale);
  if (name == key.name) return {};
  return fail(ErrorCode::kBadRequest,
              name.empty()
                  ? fmt::format("the name of the object ({} based on URL) was undeterminable: name "
                                "must be provided",
                                key.name)
                  : fmt::format("the name of the object ({}) does not match the name on the URL "
                                "({})",
                                name, key.name));
}

bool has_replicas(const json::Object& scale) {
  const json::Value* spec = scale.if_contains("spec");
  return spec && spec->is_object() && spec->get_object().contains("replicas");
}

}  // namespace

Result<json::Object> applied_body(const Patch& patch) {
  if (patch.body.is_null()) return json::Object();
  if (patch.body.is_object()) return patch.body.get_object();
  return fail(
      ErrorCode::kBadRequest,
      fmt::format("error decoding YAML: error unmarshaling JSON: while decoding JSON: json: "
                  "cannot unmarshal {} into Go value of type map[string]interface {{}}",
                  api::json_type(patch.body)));
}

Result<Decision> decide_scale(const Patch& patch, const Key& key, const json::Object& live,
                              const Request& request) {
  Result<json::Object> scale = patched_scale(patch, key, live, request);
  if (!scale) return std::unexpected(std::move(scale).error());
  SLIPWAY_TRY(check_name(*scale, key));
  const api::Resource& resource = request.resource;
  if (!resource.native && !has_replicas(*scale) && !api::has_replicas(live, resource)) {
    return fail(ErrorCode::kBadRequest,
                fmt::format("the spec replicas field \"{}\" cannot be empty",
                            resource.scale->spec_replicas));
  }
  if (patch.type != PatchType::kApply) return decide_update(std::move(*scale), {}, live, request);
  SLIPWAY_TRY(check_preconditions(*scale, live, request));
  json::Object scaled = live;
  SLIPWAY_TRY(api::set_scale(scaled, *scale, resource));
  SLIPWAY_TRY(api::take_scale_owners(scaled, *scale, resource));
  return conclude_update(std::move(scaled), live, request, true);
}

}  // namespace slipway::store
