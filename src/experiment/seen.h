#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/kinds/argo_experiment.h"
#include "api/object.h"

// An Experiment and what belongs to it, as one look finds them. Values only.
namespace slipway::experiment {

// Who the Experiment is.
struct Identity {
  std::string ns = {}, name = {}, uid = {};
  std::string instance_id = {};                     // its label; empty when it has none
  std::optional<api::OwnerReference> rollout = {};  // that controls it
};
Identity identity_of(const json::Object& experiment);

// A ReplicaSet of one of its templates.
struct ReplicaSetSeen {
  std::string name = {}, uid = {};
  std::string hash = {};
  json::Object labels = {};
  json::Object selector = {}, pod_template = {};
  std::int32_t wanted = 0;  // spec.replicas
  std::int32_t min_ready_seconds = 0;
  std::int32_t replicas = 0, ready = 0, available = 0;
  bool is_observed = true;  // its controller has seen what is wanted
  bool has_deadline = false;
  std::optional<Time> deadline = {};  // for scaling down; none when it cannot be read
  std::optional<Time> created = {};
  bool deleting = false;
};
ReplicaSetSeen replica_set_seen(const json::Object& document);

struct ServiceSeen {
  std::string name = {}, uid = {};
  json::Object selector = {};
  bool deleting = false;
};
ServiceSeen service_seen(const json::Object& document);

struct RunSeen {
  std::string phase = {}, message = {};
  std::string attempt = {};  // which it was made for; empty: not by us
  bool terminate = false;
};
RunSeen run_seen(const json::Object& document);

// What one look has found, and what has come of what it did.
struct Observed {
  std::map<std::string, ReplicaSetSeen> replica_sets = {};  // by template
  std::map<std::string, ServiceSeen> services = {};
  std::map<std::string, RunSeen> runs = {};  // by the run's own name: ours, and those recorded

  // Why a template cannot go on, for good; and why it has to wait (its name is somebody else's).
  std::map<std::string, std::string> failures = {}, waiting = {};
  // Why its Pods do not get ready, where that was asked for.
  std::map<std::string, std::string> pod_problems = {};
  std::set<std::string> scaled = {}, created = {};
  // By analysis: why there will be no run, whole; and the run that was made.
  std::map<std::string, std::string> analysis_failures = {}, made_runs = {};
};

// Whether a ReplicaSet or Service is of this Experiment: the name of its template, else empty.
std::string template_of(const json::Object& document, const Identity& experiment);

}  // namespace slipway::experiment
