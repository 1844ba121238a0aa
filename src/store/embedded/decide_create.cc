#include <fmt/format.h>

#include "api/admit.h"
#include "api/apply/apply.h"
#include "api/object.h"
#include "api/wire/go_types.h"
#include "store/embedded/decide.h"
#include "store/embedded/kind_traits.h"

namespace slipway::store {

namespace {

// An object without apiVersion or kind is taken for what the request names.
Result<> fit_type(json::Object& object, const api::Resource& resource) {
  std::string expected = resource.gvk.api_version();
  if (auto [entry, added] = object.emplace("apiVersion", expected); entry->value().is_null()) {
    entry->value() = expected;
  }
  if (auto [entry, added] = object.emplace("kind", resource.gvk.kind); entry->value().is_null()) {
    entry->value() = resource.gvk.kind;
  }
  const json::Value& api_version = object.at("apiVersion");
  const json::Value& kind = object.at("kind");
  if (!api_version.is_string() || !kind.is_string()) {
    return fail(ErrorCode::kBadRequest, "apiVersion and kind must be strings");
  }
  if (std::string_view given = api_version.as_string(); given != expected) {
    return fail(
        ErrorCode::kBadRequest,
        fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                    given, expected));
  }
  if (std::string_view given = kind.as_string(); given != resource.gvk.kind) {
    return fail(
        ErrorCode::kBadRequest,
        fmt::format("{} in version \"{}\" cannot be handled as a {}: the kind in the data does not "
                    "match the expected kind",
                    given, resource.gvk.version, resource.gvk.kind));
  }
  return {};
}

Result<> fit_namespace(json::Object& object, std::string_view ns, const api::Resource& resource) {
  json::Object& metadata = api::metadata_of(object);
  if (!resource.namespaced) {
    json::erase(metadata, "namespace");
    return {};
  }
  std::string_view given = api::namespace_of(object);
  if (!given.empty() && given != ns) {
    return fail(
        ErrorCode::kBadRequest,
        "the namespace of the provided object does not match the namespace sent on the request");
  }
  if (given.empty()) metadata["namespace"] = ns;
  return {};
}

Result<> has_metadata_object(const json::Object& object) {
  const json::Value* metadata = object.if_contains("metadata");
  if (metadata && !metadata->is_object() && !metadata->is_null()) {
    return fail(ErrorCode::kBadRequest, "metadata must be an object");
  }
  return {};
}

// What a server writes itself. It is taken out of what is sent, but not before it was read: the API
// server decodes all of it first.
Result<> drop_own_fields(json::Object& object, const api::Resource& resource) {
  json::Object& metadata = api::metadata_of(object);
  json::Object own;
  for (std::string_view field : {"uid", "creationTimestamp", "deletionTimestamp", "selfLink",
                                 "deletionGracePeriodSeconds", "resourceVersion", "generation"}) {
    const json::Value* given = metadata.if_contains(field);
    if (!given) continue;
    own[field] = *given;
    json::erase(metadata, field);
  }
  if (own.empty() || resource.schema == nullptr) return {};
  json::Object alone{{"metadata", std::move(own)}};
  const auto problem = api::go_decode(alone, *resource.schema);
  if (!problem) return {};
  return fail(ErrorCode::kBadRequest,
              fmt::format("{0} in version \"{1}\" cannot be handled as a {0}: {2}",
                          resource.gvk.kind, resource.gvk.version, *problem));
}

}  // namespace

Result<> fit_to_request(json::Object& object, const Key& key, const Request& request) {
  SLIPWAY_TRY(fit_type(object, request.resource));
  SLIPWAY_TRY(has_metadata_object(object));
  SLIPWAY_TRY(fit_namespace(object, key.ns, request.resource));
  std::string_view name = api::name_of(object);
  if (name.empty()) {
    api::metadata_of(object)["name"] = key.name;
  } else if (name != key.name) {
    return fail(ErrorCode::kBadRequest,
                fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                            name, key.name));
  }
  return {};
}

Result<> fit_named(json::Object& object, const Key& key, const Request& request) {
  const bool named = !api::name_of(object).empty();
  SLIPWAY_TRY(fit_to_request(object, key, request));
  if (named) return {};
  return fail(ErrorCode::kBadRequest,
              fmt::format("the name of the object ({} based on URL) was undeterminable: name must "
                          "be provided",
                          key.name));
}

Result<> receive_create(json::Object& object, std::string_view ns, const Request& request) {
  SLIPWAY_TRY(fit_type(object, request.resource));
  SLIPWAY_TRY(has_metadata_object(object));
  SLIPWAY_TRY(fit_namespace(object, ns, request.resource));
  if (api::version_of(object) != 0) {
    return fail(ErrorCode::kBadRequest,
                "resourceVersion should not be set on objects to be created");
  }
  SLIPWAY_TRY(drop_own_fields(object, request.resource));
  return {};
}

std::string draw_name(std::string_view generate_name, Random& random) {
  return std::string(generate_name.substr(0, kMaxGeneratedPrefix)) + random.suffix();
}

Result<> admit_tracked(json::Object& object, const json::Object* live, const Request& request,
                       bool applied) {
  const WriteOptions& options = request.options;
  auto track = [&](json::Object& asked) {
    api::track_update(
        live, asked, request.resource,
        {.manager = options.manager, .subresource = options.subresource, .now = request.now});
  };
  std::vector<std::string> unheard;
  return api::admit(object, live, request.resource, static_cast<api::Unknown>(options.validation),
                    options.duplicates, options.warnings ? *options.warnings : unheard,
                    request.sent == Sent::kPatch ? api::Source::kPatch : api::Source::kBody,
                    applied ? std::function<void(json::Object&)>() : track, request.words);
}

Result<json::Object> decide_create(json::Object object, const Request& request, Random& random,
                                   bool applied) {
  const api::Resource& resource = request.resource;
  if (resource.status_subresource) json::erase(object, "status");
  json::Object& metadata = api::metadata_of(object);
  metadata["uid"] = random.uuid();
  metadata["creationTimestamp"] = format_time(request.now);
  if (has_generation(resource)) metadata["generation"] = 1;

  SLIPWAY_TRY(admit_tracked(object, nullptr, request, applied));
  return object;
}

}  // namespace slipway::store
