#pragma once

#include <map>
#include <string>
#include <vector>

#include "rollout/objects/replica_set.h"

// What else of a Rollout its decisions see. Pure.
namespace slipway::rollout {

struct Service {
  std::string name = {};
  std::map<std::string, std::string> selector = {};
  std::string managed_by = {};  // the Rollout that sets its selector; empty: none yet

  std::string hash() const;  // of the set it selects
};
Service read_service(const json::Value& document);

// An AnalysisRun or an Experiment of the Rollout.
struct Child {
  std::string name = {}, uid = {};
  std::string phase = {}, message = {};
  std::string hash = {};        // of the set it was made for; empty: it does not say
  std::string type = {};        // a run's rollout-type
  std::string step_index = {};  // of a run for a step
  bool is_terminated = false;   // told to end
  bool is_dropped = false;      // by the Rollout: what comes of it then is no verdict
  bool is_deleting = false;
  Time created = {};

  bool is_completed() const;
  bool has_passed() const;
};
Child read_child(const json::Value& document);

struct ExperimentTemplate {
  std::string name = {}, service_name = {}, hash = {};
};
struct Experiment : Child {
  std::vector<ExperimentTemplate> templates = {};
};
Experiment read_experiment(const json::Value& document);

}  // namespace slipway::rollout
