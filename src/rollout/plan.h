#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rollout/situation.h"

// What a look at a Rollout leads to. Values only: the shell carries them out in order.
namespace slipway::rollout {

struct Happening {
  std::string reason = {};
  std::string message = {};
  bool is_warning = false;
};

// Absent: taken away.
using TextChanges = std::map<std::string, std::optional<std::string>>;

struct ChangeSet {
  std::string name = {}, uid = {};
  std::optional<Count> replicas = {}, min_ready_seconds = {};
  TextChanges annotations = {};
  json::Value pod_template = {};  // a merge patch of it; null: none
};
struct RemoveSet {
  std::string name = {}, uid = {};
};
struct SwitchService {
  std::string name = {}, hash = {};
  bool claims = false;  // and says whose it is now
};
// Takes back what SwitchService put into it, if nobody has changed it meanwhile.
struct ReleaseService {
  std::string name = {};
  std::uint64_t version = 0;
};
enum class ChildKind { kRun, kExperiment };
struct EndChild {
  ChildKind kind = {};
  std::string name = {}, uid = {};
};
struct RemoveChild {
  ChildKind kind = {};
  std::string name = {}, uid = {};
};
// How traffic shall be divided, for every router the Rollout names.
struct RouteTraffic {
  argo::TrafficWeights weights = {};
  // These and no other managed routes.
  std::vector<argo::SetHeaderRoute> header_routes = {};
  std::vector<argo::SetMirrorRoute> mirror_routes = {};
  // The canary has no Pods, though it may have traffic: weights go before anything else.
  bool weights_first = false;
};
struct ChangePod {
  std::string name = {}, uid = {};
  TextChanges labels = {}, annotations = {};
};
struct EvictPod {
  std::string name = {}, uid = {};
};
struct ScaleWorkload {
  Count replicas = 0;
};
// The Rollout itself, but for its status.
struct ChangeRollout {
  TextChanges annotations = {};
  std::optional<Count> replicas = {};
};
using Action =
    std::variant<ChangeSet, RemoveSet, SwitchService, ReleaseService, EndChild, RemoveChild,
                 RouteTraffic, ChangePod, EvictPod, ScaleWorkload, ChangeRollout>;
struct Chore {
  Action action = {};
  std::optional<Happening> says = {};  // once it is done
};

struct CreateSet {
  json::Object object = {};
};
struct CreateRun {
  RunRole role = {};
  std::string name = {};
  std::string attempt = {};
  std::map<std::string, std::string> labels = {}, annotations = {};
  argo::RolloutAnalysis analysis = {};
};
struct CreateExperiment {
  json::Object object = {};
};
using Creation = std::variant<CreateSet, CreateRun, CreateExperiment>;

struct Plan {
  std::vector<Chore> chores = {};
  // After the chores; then everything is looked at and decided anew, and the status waits for that.
  std::optional<Creation> create = {};
  argo::RolloutStatus status = {};
  std::vector<Happening> happenings = {};  // once the status is written
  std::optional<Time> again = {};          // even if nothing changes
};

}  // namespace slipway::rollout
