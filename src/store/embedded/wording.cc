#include "store/embedded/wording.h"

#include <fmt/format.h>

namespace slipway::store {

std::string group_resource(const api::Resource& resource) {
  return resource.gvk.group.empty() ? resource.plural : resource.plural + "." + resource.gvk.group;
}

std::unexpected<Error> no_such_kind() {
  return fail(ErrorCode::kNotFound, "the server could not find the requested resource");
}

std::unexpected<Error> not_found(const api::Resource& resource, std::string_view name) {
  return fail(ErrorCode::kNotFound,
              fmt::format("{} \"{}\" not found", group_resource(resource), name));
}

std::unexpected<Error> already_exists(const api::Resource& resource, std::string_view name,
                                      bool deleting) {
  return fail(ErrorCode::kAlreadyExists,
              fmt::format("{}{} \"{}\" already exists", deleting ? "object is being deleted: " : "",
                          group_resource(resource), name));
}

std::unexpected<Error> no_free_name(const api::Resource& resource, std::string_view name) {
  return fail(
      ErrorCode::kAlreadyExists,
      fmt::format("{} \"{}\" already exists, the server was not able to generate a unique name "
                  "for the object",
                  group_resource(resource), name));
}

std::unexpected<Error> conflict(std::string_view group_resource, std::string_view name,
                                std::string_view why) {
  return fail(ErrorCode::kConflict, fmt::format("Operation cannot be fulfilled on {} \"{}\": {}",
                                                group_resource, name, why));
}

std::unexpected<Error> forbidden(const api::Resource& resource, std::string_view name,
                                 std::string_view why) {
  return fail(ErrorCode::kForbidden,
              fmt::format("{} \"{}\" is forbidden: {}", group_resource(resource), name, why));
}

std::unexpected<Error> namespace_terminating(const api::Resource& resource, std::string_view name,
                                             std::string_view ns) {
  std::unexpected<Error> refusal = forbidden(
      resource, name,
      fmt::format("unable to create new content in namespace {} because it is being terminated",
                  ns));
  refusal.error().causes.push_back({.reason = "NamespaceTerminating",
                                    .message = fmt::format("namespace {} is being terminated", ns),
                                    .field = "metadata.namespace"});
  return refusal;
}

std::unexpected<Error> too_old(Version asked, Version oldest) {
  return fail(ErrorCode::kExpired, fmt::format("too old resource version: {} ({})", asked, oldest));
}

std::unexpected<Error> too_deep(std::size_t limit) {
  return fail(ErrorCode::kBadRequest,
              fmt::format("the object is nested too deep: with its managedFields at most {} levels "
                          "can be stored",
                          limit));
}

std::unexpected<Error> too_large(std::size_t bytes, std::size_t limit) {
  return fail(
      ErrorCode::kTooLarge,
      fmt::format("the object is too large: {} bytes, at most {} can be stored", bytes, limit));
}

}  // namespace slipway::store
