#pragma once

#include "server/call.h"

// create, update, patch and their subresources (status, scale, finalize).
namespace slipway::server {

Task<http::Response> create_object(const Services& services, Call call);
Task<http::Response> update_object(const Services& services, Call call);
Task<http::Response> patch_object(const Services& services, Call call);

// Warning headers as `kubectl` prints them: `299 - "unknown field \"spec.foo\""`.
inline constexpr std::size_t kMaxWarnings = 50;
void add_warnings(http::Response& response, const std::vector<std::string>& warnings);

}  // namespace slipway::server
