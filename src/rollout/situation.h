#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rollout/objects/children.h"

namespace slipway::rollout {

// What an AnalysisRun of a Rollout is for.
enum class RunRole { kBackground, kStep, kPrePromotion, kPostPromotion };
inline constexpr RunRole kRunRoles[] = {RunRole::kBackground, RunRole::kStep,
                                        RunRole::kPrePromotion, RunRole::kPostPromotion};

// Whose objects traffic is routed by.
enum class Routers {
  kAsWritten,   // those of each router, which somebody serves
  kTranslated,  // HTTPRoutes only, whatever router the Rollout names
};

struct Pod {
  std::string name = {}, uid = {};
  std::string set_uid = {};
  Time created = {};
  bool is_ready = false, is_available = false;
  bool is_deleting = false;
  std::map<std::string, std::string> labels = {}, annotations = {};
};

// Everything that decisions about one Rollout rest on, as it was at one time.
struct Situation {
  json::Value document = {};   // the Rollout as stored
  argo::Rollout rollout = {};  // the same, with the Pod template of its workload where it has one
  Time now = {};               // whole seconds
  std::string hash = {};       // of the Pod template, or that of the set which has it already
  std::string steps_hash = {};
  std::vector<ReplicaSet> sets = {};
  std::map<std::string, Service> services = {};
  // The Service whose Pods are divided, or why there is none; where a router asks for it.
  std::optional<Result<json::Value>> divided_service = {};
  // Versions of Services that it manages and does not refer to any more.
  std::map<std::string, std::uint64_t> abandoned = {};
  std::vector<Child> runs = {};
  std::vector<Experiment> experiments = {};
  std::vector<Pod> pods = {};  // only where they are asked for: see needs_pods()
  // Made at this look: not in the status yet, but theirs.
  std::map<RunRole, std::string> made_runs = {};
  std::string made_experiment = {};
  std::string problem = {};              // of what the Rollout refers to; empty: none
  std::string pod_problem = {};          // why a Pod does not get ready, when time is up for it
  std::string workload_generation = {};  // of the object whose template it uses
  Routers routers = {};

  std::string name() const;
  std::string ns() const;
};

// Whether Pods matter: to be restarted, or to be labelled.
bool needs_pods(const argo::Rollout& rollout);

const Child* find_run(const Situation& seen, const std::string& name);
const Experiment* find_experiment(const Situation& seen, const std::string& name);
const Service* find_service(const Situation& seen, const std::string& name);

// Stable and latest are the same, and known.
bool is_fully_promoted(const argo::RolloutStatus& status);

}  // namespace slipway::rollout
