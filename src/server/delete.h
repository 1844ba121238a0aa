#pragma once

#include "server/call.h"

namespace slipway::server {

// How many objects of a collection are deleted side by side.
inline constexpr std::size_t kDeletedTogether = 256;

// The object as it stands while something holds it, else a Status that says it is gone (or, for the
// kinds where kube-apiserver does so, its last state).
Task<http::Response> delete_object(const Services& services, Call call);
// The list of what was deleted.
Task<http::Response> delete_collection(const Services& services, Call call);

}  // namespace slipway::server
