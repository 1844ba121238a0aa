#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.h"
#include "rollout/settings.h"

// ReplicaSets of a Rollout as its decisions see them. Pure.
namespace slipway::rollout {

struct ReplicaSet {
  std::string name = {}, uid = {};
  std::string hash = {};  // of its Pod template: the label of the set, its selector and its Pods
  Count replicas = 0;     // wanted
  Count current = 0, ready = 0, available = 0;
  Count min_ready_seconds = 0;
  bool is_observed = true;  // its controller has seen what is wanted
  bool is_deleting = false;
  Time created = {};
  std::map<std::string, std::string> annotations = {};
  std::optional<argo::Condition> failure = {};  // ReplicaFailure
  json::Value document = {};

  std::int64_t revision() const;         // 0 when it has none
  std::optional<Count> desired() const;  // how many the Rollout wanted when it was last scaled
  bool was_stable() const;               // it was promoted once, so it had its verdict
  bool has_deadline() const;
  std::optional<Time> deadline() const;  // for scaling down; none when it cannot be read either
};

ReplicaSet read_replica_set(json::Value document);

// The sets of a Rollout by their part in it. Pointers into one list, which outlives this.
struct Sets {
  const ReplicaSet* latest = nullptr;  // of the Pod template as it is now; the canary, the preview
  const ReplicaSet* stable = nullptr;  // may be the same
  std::vector<const ReplicaSet*> others = {};
  std::vector<const ReplicaSet*> all = {};

  bool has_separate_stable() const;
  std::vector<const ReplicaSet*> all_but_latest() const;
};
Sets sort_out(const std::vector<ReplicaSet>& sets, const std::string& latest_hash,
              const std::string& stable_hash);
const ReplicaSet* find_by_hash(const std::vector<const ReplicaSet*>& sets, const std::string& hash);

Count wanted_in(const std::vector<const ReplicaSet*>& sets);
Count current_in(const std::vector<const ReplicaSet*>& sets);
Count ready_in(const std::vector<const ReplicaSet*>& sets);
Count available_in(const std::vector<const ReplicaSet*>& sets);

// How many of its Pods can be counted on: available, wanted, and not about to go by what its
// controller was told before. Before it has seen what is wanted, none.
Count certain_of(const ReplicaSet& set);
// Holds what the Rollout wants, knows so, and all of it is available.
bool is_saturated(const ReplicaSet* set, Count replicas);
// Wanted at all, and all of it available.
bool is_fully_available(const ReplicaSet& set);

}  // namespace slipway::rollout
