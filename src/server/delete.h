#pragma once

#include "server/call.h"

namespace slipway::server {

// How many objects of a collection are deleted side by side.
inline constexpr std::size_t kDeletedTogether = 256;
// How many are listed at once.
inline constexpr std::size_t kDeletedPage = 10'000;
// What an answer tells of a collection's objects at most; a Warning says when there were more.
inline constexpr std::size_t kMaxToldItems = 10'000;
inline constexpr std::size_t kMaxToldBytes = 16 * 1024 * 1024;

// The object as it stands while something holds it, else a Status that says it is gone (or, for the
// kinds where kube-apiserver does so, its last state).
Task<http::Response> delete_object(const Services& services, Call call);
// All objects that were there when it began, or as many as ?limit= says. The answer is the list of
// them as they were before.
Task<http::Response> delete_collection(const Services& services, Call call);

}  // namespace slipway::server
