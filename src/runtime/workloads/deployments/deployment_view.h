#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime/workloads/claims.h"

// A Deployment and its ReplicaSets, as decisions see them.
namespace slipway::runtime {

inline const api::Gvr kDeployments{"apps", "v1", "deployments"};
inline constexpr std::string_view kHashLabel = "pod-template-hash";
inline constexpr std::string_view kRevision = "deployment.kubernetes.io/revision";
inline constexpr std::string_view kRevisionHistory = "deployment.kubernetes.io/revision-history";
inline constexpr std::string_view kDesiredReplicas = "deployment.kubernetes.io/desired-replicas";
inline constexpr std::string_view kMaxReplicas = "deployment.kubernetes.io/max-replicas";

using Annotations = std::map<std::string, std::string, std::less<>>;
Annotations annotations_of(const json::Object& object);

struct DeploymentView {
  store::Key key = {};
  Claimant claimant = {};
  std::int64_t generation = 0;
  std::int64_t replicas = 1;
  bool recreate = false;
  std::int64_t surge = 0;        // how many more than `replicas` there may be
  std::int64_t unavailable = 0;  // how many of `replicas` may be missing
  std::int32_t min_ready_seconds = 0;
  std::optional<std::int64_t> history = {};  // how many old sets are kept; none: all
  std::optional<Duration> deadline = {};     // for progress; none: for ever
  bool paused = false;
  std::int32_t collisions = 0;
  Annotations annotations = {};
  json::Value pod_template = {};
  json::Value selector = {};
  json::Object status = {};
};
Result<DeploymentView> view_deployment(const json::Object& deployment);

struct SetView {
  store::Key key = {};
  std::string uid = {};
  store::Version version = 0;
  Time created = {};
  bool deleting = false;
  bool current = false;       // made from the Deployment's template as it is now
  std::int64_t replicas = 0;  // asked for
  std::int64_t actual = 0;    // there, ready, available: as its status says
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::int64_t generation = 0;
  std::int64_t observed = 0;
  std::int32_t min_ready_seconds = 0;
  Annotations annotations = {};
  std::optional<json::Object> failure = {};  // its ReplicaFailure condition
  bool has_running_pods = false;             // even such that are on their way out

  std::int64_t revision() const;
};
SetView view_set(const json::Object& replica_set, const DeploymentView& deployment);
bool is_older(const SetView& a, const SetView& b);

// The two templates differ in nothing but the label that tells sets apart.
bool same_template(const json::Value& a, const json::Value& b);

// A number, or a share of `total` ("25%"), rounded up or down.
std::int64_t scaled(const json::Value& number_or_percent, std::int64_t total, bool up);
// The number in an annotation, when it is one and not negative.
std::optional<std::int64_t> number_in(const Annotations& annotations, std::string_view key);

}  // namespace slipway::runtime
