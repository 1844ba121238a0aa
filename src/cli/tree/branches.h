#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "cli/tree/tree.h"

// What belongs to an object, under it. Pure.
namespace slipway::cli {

// The objects of a namespace that may belong to the one that is shown.
struct Grove {
  std::vector<json::Value> experiments = {}, replica_sets = {}, pods = {}, runs = {}, jobs = {};
  std::vector<json::Value> warnings = {};  // events about Pods
  Time now = {};
};

// Those of `objects` whose controller is `owner`, newest first; of one age by name.
std::vector<const json::Value*> controlled_by(const json::Value& owner,
                                              const std::vector<json::Value>& objects);

// Why a Pod is not ready: what its container waits for, or the newest warning about it. Empty when
// it is, or when nobody has said so.
std::string_view trouble_of(const json::Value& pod [[clang::lifetimebound]],
                            const Grove& grove [[clang::lifetimebound]]);

// Why a ReplicaSet cannot have the Pods it wants; empty when it can.
std::string_view failure_of(const json::Value& replica_set [[clang::lifetimebound]]);

// Pods in the tree of `root` that are not ready and whose containers do not say why: only a warning
// may explain them. Those of the newest set come first.
std::vector<const json::Value*> unexplained_pods(const json::Value& root, const Grove& grove);

// With its Pods, how long until it is scaled down, and why Pods are missing or not ready. `info`
// comes first: stable, canary.
TreeNode replica_set_node(const json::Value& replica_set, const Grove& grove,
                          std::string info = {});
// With its Jobs, what its measurements said, and the newest number of each metric.
TreeNode run_node(const json::Value& run, const Grove& grove);
// With its ReplicaSets and runs, by name.
TreeNode experiment_node(const json::Value& experiment, const Grove& grove);

// Images of the containers of a Pod template, in order, each once.
std::vector<std::string> images_of(const json::Value& pod_template);

}  // namespace slipway::cli
