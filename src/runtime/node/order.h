#pragma once

#include <expected>
#include <string>

#include "runtime/node/environment.h"
#include "runtime/node/host.h"
#include "runtime/node/images.h"

namespace slipway::runtime {

// What a Pod is told about where it runs.
struct PodContext {
  NodeFacts node = {};
  std::string pod_ip = {};
  std::string folder = {};         // PodHost::folder()
  Environment::Entries base = {};  // PATH and such, which every container gets
  ShimTuning tuning = {};
};

// From a Pod and what it refers to, all it takes to start it. Refusals: CreateContainerConfigError,
// ImagePullBackOff (no command to be had for the image), FailedMount.
//
// Beside its own environment a container gets POD_IP, HOSTNAME, SLIPWAY_IMAGE, SLIPWAY_IMAGE_TAG,
// and for each volumeMount SLIPWAY_MOUNT_<VOLUME> with the folder's real path, for where private
// mounts are not to be had.
std::expected<PodOrder, Refusal> build_order(const json::Value& pod, const PodSources& sources,
                                             const Images& images, const PodContext& context);

// A port of a container by number or name; 0 when there is none.
std::uint16_t port_of(const json::Value& port, const json::Value& container);

}  // namespace slipway::runtime
