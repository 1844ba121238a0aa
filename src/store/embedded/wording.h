#pragma once

#include <string>
#include <string_view>

#include "api/registry.h"
#include "store/store.h"

// Refusals, worded and coded as the API server does: kubectl and people know these sentences.
namespace slipway::store {

// "rollouts.argoproj.io"; "pods" in the core group. Also the name of the kind's table and of its
// definition.
std::string group_resource(const api::Resource& resource);

std::unexpected<Error> no_such_kind();
std::unexpected<Error> not_found(const api::Resource& resource, std::string_view name);
std::unexpected<Error> already_exists(const api::Resource& resource, std::string_view name,
                                      bool deleting);
std::unexpected<Error> no_free_name(const api::Resource& resource, std::string_view name);
// `why`: what differs; kModified is the sentence of optimistic concurrency.
inline constexpr std::string_view kModified =
    "the object has been modified; please apply your changes to the latest version and try again";
std::unexpected<Error> conflict(std::string_view group_resource, std::string_view name,
                                std::string_view why);
std::unexpected<Error> forbidden(const api::Resource& resource, std::string_view name,
                                 std::string_view why);
std::unexpected<Error> namespace_terminating(const api::Resource& resource, std::string_view name,
                                             std::string_view ns);
std::unexpected<Error> too_old(Version asked, Version oldest);
std::unexpected<Error> too_deep(std::size_t limit);
std::unexpected<Error> too_large(std::size_t bytes, std::size_t limit);

}  // namespace slipway::store
