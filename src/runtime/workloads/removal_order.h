#pragma once

#include <vector>

#include "runtime/workloads/pod_view.h"

namespace slipway::runtime {

// The `count` Pods that are missed least, first those missed least, in upstream's order: not
// assigned, pending, not ready, cheap to delete, ready for a shorter time, restarted more
// often, younger. Ages count in powers of two, and what is left is decided by the uid, so that it
// is not always the youngest that go. (Upstream also looks at how many share a node; here all do.)
std::vector<const PodView*> least_missed(std::vector<const PodView*> pods, std::size_t count,
                                         Time now);

}  // namespace slipway::runtime
