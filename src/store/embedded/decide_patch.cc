#include <fmt/format.h>

#include "api/apply/apply.h"
#include "api/object.h"
#include "api/patch/patch.h"
#include "api/rules/validate.h"
#include "api/wire/go_format.h"
#include "api/wire/go_types.h"
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

Result<json::Value> patched_value(const Patch& patch, json::Object document,
                                  const Request& request) {
  switch (patch.type) {
    case PatchType::kJson:
      return api::json_patch(std::move(document), patch.body);
    case PatchType::kMerge:
      return api::merge_patch(std::move(document), patch.body);
    case PatchType::kStrategicMerge:
      return api::strategic_merge_patch(std::move(document), patch.body, *request.resource.schema);
    case PatchType::kApply:
      break;
  }
  return unknown_format(request.resource);
}

Result<json::Object> patched(const Patch& patch, json::Object document, const Request& request) {
  Result<json::Value> result = patched_value(patch, std::move(document), request);
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

Result<json::Object> apply(const Patch& patch, const json::Object* live, const Request& request) {
  Result<json::Object> body = applied_body(patch);
  if (!body) return body;
  return api::server_side_apply(live, config_for(*body, request), request.resource,
                                {.manager = request.options.manager,
                                 .subresource = request.options.subresource,
                                 .now = request.now},
                                {.force = patch.force});
}

// What decoders look at before all else: a patch may have made it into anything.
Result<> check_type(const json::Object& object, const Key& key, const Request& request) {
  const api::Resource& resource = request.resource;
  auto refuse = [&](std::string_view problem) {
    return api::cannot_decode(object, request.words, problem);
  };
  for (std::string_view field : {"apiVersion", "kind"}) {
    const json::Value* value = object.if_contains(field);
    if (value && !value->is_string() && !value->is_null())
      return refuse(
          fmt::format("couldn't get version/kind; json parse error: json: cannot unmarshal {} into "
                      "Go struct field .{} of type string",
                      api::json_type(*value), field));
  }
  const api::Gvk given = api::gvk_of(object);
  if (resource.native) {
    if (given.kind.empty() || given.api_version().empty() || given == resource.gvk) return {};
    return refuse(fmt::format(
        "no kind \"{}\" is registered for version \"{}\" in scheme \"pkg/runtime/scheme.go:110\"",
        given.kind, given.api_version()));
  }
  api::Findings findings;
  if (!given.kind.empty() && given.kind != resource.gvk.kind)
    findings.invalid("kind", json::Value(given.kind), "must be " + resource.gvk.kind);
  if (given.api_version() != resource.gvk.api_version() && !given.api_version().empty())
    findings.invalid("apiVersion", json::Value(given.api_version()),
                     "must be " + resource.gvk.api_version());
  if (findings.empty()) return {};
  return fail(findings.error(given, key.name));
}

Result<> check_metadata(const json::Object& object, const Request& request) {
  const json::Value* metadata = object.if_contains("metadata");
  if (!metadata || metadata->is_object() || metadata->is_null()) return {};
  std::optional<std::string> problem;
  if (request.resource.native) {
    json::Object alone{{"metadata", *metadata}};
    problem = api::go_decode(alone, *request.resource.schema);
  }
  return api::cannot_decode(
      object, request.words,
      problem ? *problem
              : fmt::format("json: cannot unmarshal {} into Go value of type v1.ObjectMeta",
                            api::json_type(*metadata)));
}

// Strategic patches are restored into a struct of the live kind, which takes no notice of another
// name for it.
Result<> restore_type(json::Object& object, const Request& request) {
  if (auto problem = api::restore_problem(object, *request.resource.schema))
    return api::cannot_decode(object, request.words, *problem);
  object["apiVersion"] = request.resource.gvk.api_version();
  object["kind"] = request.resource.gvk.kind;
  return {};
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

Result<> decode_patched(json::Object& object, const Patch& patch, const Key& key,
                        PatchedRequest& worded) {
  api::PatchWords& words = worded.request.words;
  if (patch.type == PatchType::kStrategicMerge) {
    worded.shown = what_go_leaves(patch.body);
    words.strategic = &worded.shown;
    return restore_type(object, worded.request);
  }
  if (worded.request.resource.native) {
    if (patch.type == PatchType::kJson) worded.shown = api::touched_by(patch.body);
    words.touched = patch.type == PatchType::kJson ? &worded.shown : &patch.body;
    words.schema = worded.request.resource.schema;
  }
  SLIPWAY_TRY(check_type(object, key, worded.request));
  return check_metadata(object, worded.request);
}

Result<Decision> decide_patch(const Patch& patch, const Key& key, const json::Object& live,
                              const Request& request) {
  SLIPWAY_TRY(check_subresource(request));
  const api::Resource& resource = request.resource;
  if (patch.type == PatchType::kStrategicMerge && (!resource.native || !resource.schema)) {
    return unknown_format(resource);
  }
  if (request.options.subresource == "scale") return decide_scale(patch, key, live, request);
  bool applied = patch.type == PatchType::kApply;
  Result<json::Object> object =
      applied ? apply(patch, &live, request) : patched(patch, live, request);
  if (!object) return std::unexpected(std::move(object).error());
  PatchedRequest worded{request, {}};
  if (!applied) SLIPWAY_TRY(decode_patched(*object, patch, key, worded));
  SLIPWAY_TRY(fit_named(*object, key, request));
  return conclude_update(std::move(*object), live, worded.request, applied);
}

Result<json::Object> decide_apply_create(const Patch& patch, const Key& key, const Request& request,
                                         Random& random) {
  if (!request.options.subresource.empty()) return not_found(request.resource, key.name);
  Result<json::Object> object = apply(patch, nullptr, request);
  if (!object) return object;
  if (std::string uid(api::uid_of(*object)); !uid.empty()) {
    return conflict(
        group_resource(request.resource), key.name,
        fmt::format("uid mismatch: the provided object specified uid {}, and no existing object "
                    "was found",
                    uid));
  }
  SLIPWAY_TRY(fit_named(*object, key, request));
  SLIPWAY_TRY(receive_create(*object, key.ns, request));
  return decide_create(std::move(*object), request, random, true);
}

}  // namespace slipway::store
