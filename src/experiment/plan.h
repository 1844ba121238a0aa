#pragma once

#include <string>
#include <variant>
#include <vector>

#include "analysis/argo/create_run.h"
#include "experiment/rules.h"

// What is to be done for an Experiment. Values only.
namespace slipway::experiment {

struct Happening {
  bool warning = false;
  std::string reason = {};
  std::string message = {};
  bool of_run = false;  // for the Rollout that owns the Experiment, too
};

struct CreateReplicaSet {
  std::string variant = {};
  json::Object object = {};
};
// Its template was edited, or is no longer there.
struct DeleteReplicaSet {
  std::string variant = {}, name = {}, uid = {};
};
struct PatchReplicaSet {
  std::string variant = {}, name = {}, uid = {};
  json::Object body = {};  // a merge patch, the uid left out
  bool scales = false;
  std::vector<Happening> happenings = {};  // once it is done
};
struct CreateService {
  std::string variant = {};
  json::Object object = {};
};
struct PatchService {
  std::string variant = {}, name = {}, uid = {};
  json::Object selector = {};
};
struct DeleteService {
  std::string variant = {}, name = {}, uid = {};
};
struct CreateRun {
  std::string analysis = {};
  analysis::WantedRun run = {};  // its spec is still to be composed
  analysis::ArgoRequest request = {};
};
struct TerminateRun {
  std::string analysis = {}, run = {};
};
using Action = std::variant<CreateReplicaSet, DeleteReplicaSet, PatchReplicaSet, CreateService,
                            PatchService, DeleteService, CreateRun, TerminateRun>;

struct Plan {
  std::vector<Action> actions = {};        // one after the other
  ExperimentStatus status = {};            // to be kept once nothing is left to do
  std::vector<Happening> happenings = {};  // of the change of status
  std::optional<Time> again = {};          // look again then, whatever happens
};

}  // namespace slipway::experiment
