#pragma once

#include "server/call.h"

// Where Prometheus finds Pods (http_sd_configs), for those that are built without Kubernetes, as
// Debian's is.
namespace slipway::server {

inline constexpr std::string_view kScrapeTargetsPath = "/prometheus/pods";

// One group for each port that a container of a Pod with an address declares, with the labels that
// kubernetes_sd_configs (role: pod) gives, so that relabelling rules are the same. Pure.
json::Array scrape_targets(const json::Value& pod);

// Of all Pods, or those of `?namespace=` and `?labelSelector=`.
Task<http::Response> get_scrape_targets(const Services& services, http::Request request);

}  // namespace slipway::server
