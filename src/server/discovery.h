#pragma once

#include <optional>
#include <string>

#include "api/registry.h"
#include "http/server.h"

// What the server serves, as clients ask for it: /api, /apis and below, plain and aggregated.
namespace slipway::server {

// Answers discovery paths (/api, /apis, /api/v1, /apis/G, /apis/G/V); nothing for other paths, and
// 404 for groups and versions that are not served. `usage`: metrics.k8s.io is served, too.
std::optional<http::Response> discovery(const api::Registry& registry, const http::Request& request,
                                        bool usage = false);

// The verbs of a kind, as discovery lists them.
std::vector<std::string> verbs_of(const api::Resource& resource);
struct Subresource {
  std::string name;  // status, scale, finalize
  api::Gvk gvk;
  std::vector<std::string> verbs;
};
std::vector<Subresource> subresources_of(const api::Resource& resource);

}  // namespace slipway::server
