#pragma once

#include "async/limit.h"
#include "server/call.h"

// get, list and watch.
namespace slipway::server {

// Watches end after this long, or a little later so that they do not all come back at once.
inline constexpr Duration kWatchLifetime = std::chrono::minutes(30);
inline constexpr int kMaxWatches = 4000;

Task<http::Response> get_object(const Services& services, Call call);
Task<http::Response> list_objects(const Services& services, Call call);
// `limit` counts the watches that are open; beyond it the answer is 429.
Task<http::Response> watch_objects(const Services& services, Limit& limit, Call call);

}  // namespace slipway::server
