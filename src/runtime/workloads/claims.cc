#include "runtime/workloads/claims.h"

namespace slipway::runtime {

Claims decide_claims(const Claimant& claimant, const std::vector<const PodView*>& pods) {
  Claims claims;
  for (const PodView* pod : pods) {
    const bool matches = claimant.selector.matches(pod->labels);
    if (pod->controller_uid == claimant.uid) {
      if (matches)
        claims.owned.push_back(pod);
      else if (!claimant.deleting)
        claims.release.push_back(pod);
    } else if (pod->controller_uid.empty() && matches && !claimant.deleting && !pod->deleting) {
      claims.adopt.push_back(pod);
    }
  }
  return claims;
}

}  // namespace slipway::runtime
