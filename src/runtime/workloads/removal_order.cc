#include "runtime/workloads/removal_order.h"

#include <algorithm>
#include <bit>
#include <compare>

namespace slipway::runtime {

namespace {

using Order = std::strong_ordering;

// Of an age, in powers of two; one that was never told is the youngest.
int magnitude(Time since, Time now) {
  if (since == Time()) return -2;
  const auto age = (now - since).count();
  return age > 0 ? static_cast<int>(std::bit_width(static_cast<std::uint64_t>(age))) - 1 : -1;
}

int phase_rank(PodPhase phase) { return static_cast<int>(phase); }

Order missed_less(const PodView& a, const PodView& b, Time now) {
  if (a.node.empty() != b.node.empty()) return a.node.empty() ? Order::less : Order::greater;
  if (a.phase != b.phase) return phase_rank(a.phase) <=> phase_rank(b.phase);
  if (a.ready != b.ready) return a.ready ? Order::greater : Order::less;
  if (a.deletion_cost != b.deletion_cost) return a.deletion_cost <=> b.deletion_cost;
  const int ready_a = a.ready ? magnitude(a.ready_changed, now) : 0;
  const int ready_b = b.ready ? magnitude(b.ready_changed, now) : 0;
  if (ready_a != ready_b) return ready_a <=> ready_b;
  if (a.restarts != b.restarts) return b.restarts <=> a.restarts;
  if (a.sidecar_restarts != b.sidecar_restarts) return b.sidecar_restarts <=> a.sidecar_restarts;
  const int age_a = magnitude(a.created, now);
  const int age_b = magnitude(b.created, now);
  return age_a != age_b ? age_a <=> age_b : a.uid <=> b.uid;
}

}  // namespace

std::vector<const PodView*> least_missed(std::vector<const PodView*> pods, std::size_t count,
                                         Time now) {
  count = std::min(count, pods.size());
  const auto middle = pods.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(pods.begin(), middle, pods.end(), [now](const PodView* a, const PodView* b) {
    return missed_less(*a, *b, now) < 0;
  });
  pods.resize(count);
  return pods;
}

}  // namespace slipway::runtime
