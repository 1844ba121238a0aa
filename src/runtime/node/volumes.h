#pragma once

#include <expected>
#include <vector>

#include "runtime/node/host.h"
#include "runtime/node/pod_sources.h"

namespace slipway::runtime {

inline constexpr std::size_t kMaxVolumeBytes = 16 * 1024 * 1024;  // of files made from objects

// The volumes of a Pod with the files they begin with: emptyDir, configMap, secret, downwardAPI,
// projected and hostPath. Others are refused (FailedMount), as is what is referred to and is not
// there, unless optional.
std::expected<std::vector<Volume>, Refusal> volumes_of(const json::Value& pod,
                                                       const PodSources& sources,
                                                       const std::string& pod_ip,
                                                       const NodeFacts& node);

}  // namespace slipway::runtime
