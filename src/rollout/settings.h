#pragma once

#include <cstdint>
#include <optional>

#include "api/kinds/argo_rollout.h"

// What a Rollout's spec asks for, defaults included. Pure.
namespace slipway::rollout {

namespace argo = api::argo;
using Count = std::int32_t;  // of Pods, percent of traffic, seconds: as the API has them

inline constexpr Count kReplicas = 1;
inline constexpr Count kMaxWeight = 100;
inline constexpr Count kProgressDeadlineSeconds = 600;
inline constexpr Count kRevisionHistoryLimit = 10;
inline constexpr Count kRunHistoryLimit = 5;
inline constexpr Count kScaleDownDelaySeconds = 30;
inline constexpr Count kAbortScaleDownDelaySeconds = 30;

Count replicas_of(const argo::RolloutSpec& spec);
// What all of the traffic is: 100 unless the router counts otherwise.
Count max_weight_of(const argo::RolloutSpec& spec);
bool is_canary(const argo::RolloutSpec& spec);
bool is_blue_green(const argo::RolloutSpec& spec);
// A canary whose traffic a router divides; else Pods alone do.
bool is_routed(const argo::RolloutSpec& spec);
bool is_dynamic(const argo::RolloutSpec& spec);  // the stable set shrinks as the canary grows

// Of `replicas`; a text is a percentage, with or without %. Surge is rounded up, unavailability
// down; where both come to nothing, one Pod may be unavailable.
Count max_surge_of(const argo::RolloutSpec& spec);
Count max_unavailable_of(const argo::RolloutSpec& spec);

// How long a set that is no longer needed stays up; zero for a canary without router.
std::chrono::seconds scale_down_delay_of(const argo::RolloutSpec& spec);
// How many such sets may stay up at once.
Count scale_down_limit_of(const argo::RolloutSpec& spec);

// How long the new set stays up after an abort.
struct AbortDelay {
  std::optional<std::chrono::seconds> delay = {};  // none: for ever
  bool is_set = false;                             // by the user
};
AbortDelay abort_delay_of(const argo::RolloutSpec& spec);

Count progress_deadline_of(const argo::RolloutSpec& spec);
Count revision_history_limit_of(const argo::RolloutSpec& spec);
Count successful_limit_of(const argo::RolloutSpec& spec);
Count unsuccessful_limit_of(const argo::RolloutSpec& spec);

}  // namespace slipway::rollout
