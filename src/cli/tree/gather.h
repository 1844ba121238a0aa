#pragma once

#include <string>
#include <vector>

#include "cli/session.h"
#include "cli/tree/branches.h"

namespace slipway::cli {

// The items of a list of the API.
Task<Result<std::vector<json::Value>>> list_items(Session& session, std::string target);

// The target of a list with one object alone, to be watched.
std::string list_of_one(const ServedKind& kind, const std::string& ns, const std::string& name);

// Targets of the lists that gather_grove() reads: experiments, runs, ReplicaSets, Pods, Jobs and
// warnings about Pods.
struct GroveLists {
  std::string experiments = {}, runs = {}, replica_sets = {}, pods = {}, jobs = {}, warnings = {};
  std::vector<std::string> all() const {
    return {experiments, runs, replica_sets, pods, jobs, warnings};
  }
};
GroveLists grove_lists(const std::string& ns);

// What may belong to `root`, a Rollout or an Experiment of the session's namespace. Warnings are
// asked for only of its Pods that nothing else explains, and of kMaxExplainedPods at most.
Task<Result<Grove>> gather_grove(Session& session, json::Value root);
inline constexpr std::size_t kMaxExplainedPods = 20;

}  // namespace slipway::cli
