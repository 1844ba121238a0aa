#pragma once

#include <map>
#include <set>
#include <stop_token>

#include "control/manager.h"
#include "rollout/shell/claims.h"
#include "rollout/situation.h"

// Reads everything a decision rests on.
namespace slipway::rollout {

inline const api::Gvr kRollouts{"argoproj.io", "v1alpha1", "rollouts"};
inline const api::Gvr kExperiments{"argoproj.io", "v1alpha1", "experiments"};
inline const api::Gvr kAnalysisRuns{"argoproj.io", "v1alpha1", "analysisruns"};
inline const api::Gvr kTemplates{"argoproj.io", "v1alpha1", "analysistemplates"};
inline const api::Gvr kClusterTemplates{"argoproj.io", "v1alpha1", "clusteranalysistemplates"};
inline const api::Gvr kReplicaSets{"apps", "v1", "replicasets"};
inline const api::Gvr kDeployments{"apps", "v1", "deployments"};
inline const api::Gvr kPodTemplates{"", "v1", "podtemplates"};
inline const api::Gvr kServices{"", "v1", "services"};
inline const api::Gvr kPods{"", "v1", "pods"};

// The newest versions that looks at one Rollout have written, by kind.
using Written = std::map<api::Gvr, store::Version>;

// Which Rollouts refer to an object, so that a change of it brings them up.
class References {
 public:
  using Object = std::pair<api::Gvr, store::Key>;
  void set(const store::Key& rollout, std::set<Object> objects);
  void drop(const store::Key& rollout) { set(rollout, {}); }
  const std::set<store::Key>& of(const Object& object) const;

 private:
  std::map<store::Key, std::set<Object>> by_rollout_;
  std::map<Object, std::set<store::Key>> by_object_;
};

// What Rollouts have to do with other objects and with each other.
struct Surroundings {
  Routers routers = {};
  References references = {};
  Claims claims = {};
};

// What was made at this look, and is nowhere recorded yet.
struct Made {
  std::map<RunRole, std::string> runs = {};
  std::string experiment = {};
  std::string problem = {};  // of something that could not be made
};

// How long a look waits for a cache to see what was written before.
inline constexpr Duration kCachePatience = std::chrono::seconds(10);

// None: there is no such Rollout, or it is going. kUnavailable: caches are too far behind. What
// they have caught up with is taken out of `written`.
slipway::Task<Result<std::optional<Situation>>> gather(control::Manager& manager, store::Key key,
                                                       Written& written, Made made,
                                                       Surroundings& around, std::stop_token stop);

}  // namespace slipway::rollout
