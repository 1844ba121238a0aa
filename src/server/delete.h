#pragma once

#include "server/call.h"

namespace slipway::server {

// A collection is deleted in pages of this many.
inline constexpr std::size_t kDeletePage = 500;

// The object as it stands while something holds it, else a Status that says it is gone (or, for the
// kinds where kube-apiserver does so, its last state).
Task<http::Response> delete_object(const Services& services, Call call);
// The list of what was deleted.
Task<http::Response> delete_collection(const Services& services, Call call);

}  // namespace slipway::server
