#include <fmt/format.h>

#include "api/apply/apply.h"
#include "api/object.h"
#include "api/patch/patch.h"
#include "api/scale.h"
#include "store/embedded/decide.h"
#include "store/embedded/wording.h"

namespace slipway::store {

namespace {

std::unexpected<Error> unknown_format(const api::Resource& resource) {
  return fail(
      ErrorCode::kUnsupportedMedia,
      fmt::format(
          "the body of the request was in an unknown format - accepted media types include: "
          "application/json-patch+json, application/merge-patch+json, {}"
          "application/apply-patch+yaml",
          resource.native ? "application/strategic-merge-patch+json, " : ""));
}

Result<json::Object> patched(const Patch& patch, json::Object document, const Request& request) {
  Result<json::Value> result = json::Value();
  switch (patch.type) {
    case PatchType::kJson:
      result = api::json_patch(std::move(document), patch.body);
      break;
    case PatchType::kMerge:
      if (!patch.body.is_object())
        return fail(ErrorCode::kBadRequest, "error decoding patch: not an object");
      result = api::merge_patch(std::move(document), patch.body);
      break;
    case PatchType::kStrategicMerge:
      if (!patch.body.is_object())
        return fail(ErrorCode::kBadRequest, "error decoding patch: not an object");
      result =
          api::strategic_merge_patch(std::move(document), patch.body, *request.resource.schema);
      break;
    case PatchType::kApply:
      return unknown_format(request.resource);
  }
  if (!result) return std::unexpected(std::move(result).error());
  if (!result->is_object()) return fail(ErrorCode::kInvalid, "the patch leaves no object");
  return std::move(result->as_object());
}

// Go's merge eats the directives of a strategic patch, and the lists they order, as it goes; its
// messages show what is left.
json::Value what_go_leaves(json::Value patch) {
  constexpr std::string_view kOrder = "$setElementOrder/", kFrom = "$deleteFromPrimitiveList/";
  if (!patch.is_object()) return patch;
  json::Object left;
  for (auto& member : patch.get_object()) {
    const std::string_view key = member.key();
    if (key.starts_with(kOrder) || key.starts_with(kFrom) || key == "$retainKeys") continue;
    if (patch.get_object().contains(fmt::format("{}{}", kOrder, key))) continue;
    left[key] = what_go_leaves(std::move(member.value()));
  }
  return left;
}

// Fields the endpoint would reset anyway must not reach the merge: the manager would come to own
// them.
json::Object config_for(const json::Object& body, const Request& request) {
  json::Object config = body;
  if (request.options.subresource == "status") {
    json::Object only;
    for (std::string_view field : {"apiVersion", "kind", "metadata", "status"}) {
      if (json::Value* value = config.if_contains(field)) only[field] = std::move(*value);
    }
    return only;
  }
  if (request.resource.status_subresource) json::erase(config, "status");
  return config;
}

Result<json::Object> apply(const Patch& patch, const Key& key, const json::Object* live,
                           const Request& request) {
  if (!patch.body.is_object())
    return fail(ErrorCode::kBadRequest, "error decoding YAML: not an object");
  json::Object config = config_for(patch.body.as_object(), request);
  for (std::string_view field : {"apiVersion", "kind"}) {
    if (!config.contains(field)) {
      return fail(ErrorCode::kBadRequest, fmt::format("{} must be set in what is applied", field));
    }
  }
  SLIPWAY_TRY(fit_to_request(config, key, request));
  Result<json::Object> merged = api::server_side_apply(live, config, request.resource,
                                                       {.manager = request.options.manager,
                                                        .subresource = request.options.subresource,
                                                        .now = request.now},
                                                       {.force = patch.force});
  return merged;
}

Result<Decision> patch_scale(const Patch& patch, const json::Object& live, const Request& request) {
  Patch plain{patch.type == PatchType::kApply || patch.type == PatchType::kStrategicMerge
                  ? PatchType::kMerge
                  : patch.type,
              patch.body, false};
  Result<json::Object> scale = patched(plain, api::scale_of(live, request.resource), request);
  if (!scale) return std::unexpected(std::move(scale).error());
  return decide_update(std::move(*scale), {}, live, request);
}

}  // namespace

bool same_object(const json::Object& a, const json::Object& b) {
  if (a.size() != b.size()) return false;
  for (const auto& [field, value] : a) {
    const json::Value* other = b.if_contains(field);
    if (!other || !json::same(value, *other)) return false;
  }
  return true;
}

Result<Decision> decide_patch(const Patch& patch, const Key& key, const json::Object& live,
                              const Request& request) {
  SLIPWAY_TRY(check_subresource(request));
  const api::Resource& resource = request.resource;
  if (patch.type == PatchType::kStrategicMerge && (!resource.native || !resource.schema)) {
    return unknown_format(resource);
  }
  if (request.options.subresource == "scale") return patch_scale(patch, live, request);
  bool applied = patch.type == PatchType::kApply;
  Result<json::Object> object =
      applied ? apply(patch, key, &live, request) : patched(patch, live, request);
  if (!object) return std::unexpected(std::move(object).error());
  SLIPWAY_TRY(fit_to_request(*object, key, request));
  Request worded = request;
  json::Value left;
  if (patch.type == PatchType::kStrategicMerge) {
    left = what_go_leaves(patch.body);
    worded.strategic_patch = &left;
  }
  return conclude_update(std::move(*object), live, worded, applied);
}

Result<json::Object> decide_apply_create(const Patch& patch, const Key& key, const Request& request,
                                         Random& random) {
  if (!request.options.subresource.empty()) return not_found(request.resource, key.name);
  Result<json::Object> object = apply(patch, key, nullptr, request);
  if (!object) return object;
  if (std::string uid(api::uid_of(*object)); !uid.empty()) {
    return conflict(
        group_resource(request.resource), key.name,
        fmt::format("uid mismatch: the provided object specified uid {}, and no existing object "
                    "was found",
                    uid));
  }
  SLIPWAY_TRY(receive_create(*object, key.ns, request));
  return decide_create(std::move(*object), request, random, true);
}

}  // namespace slipway::store
