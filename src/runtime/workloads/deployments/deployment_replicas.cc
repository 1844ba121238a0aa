#include "runtime/workloads/deployments/deployment_replicas.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "api/rules/members.h"

namespace slipway::runtime {

namespace {

std::vector<std::int64_t> sizes_of(const std::vector<SetView>& sets) {
  std::vector<std::int64_t> sizes;
  for (const SetView& set : sets) sizes.push_back(set.replicas);
  return sizes;
}

// The positions of those that pass, the oldest first.
template <class Keep>
std::vector<std::size_t> by_age(const std::vector<SetView>& sets, Keep keep) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (keep(i)) positions.push_back(i);
  std::ranges::sort(positions,
                    [&](std::size_t a, std::size_t b) { return is_older(sets[a], sets[b]); });
  return positions;
}

// What this set's size would be in the Deployment as it is to be, less what it is.
std::int64_t fraction(const DeploymentView& deployment, const SetView& set) {
  if (deployment.replicas == 0) return -set.replicas;
  auto before = number_in(set.annotations, kMaxReplicas).value_or(0);
  if (before == 0) before = api::number_in<std::int64_t>(deployment.status, "replicas").value_or(0);
  if (before == 0) return 0;
  const double size = static_cast<double>(set.replicas * (deployment.replicas + deployment.surge)) /
                      static_cast<double>(before);
  return std::llround(size) - set.replicas;
}

bool is_saturated(const DeploymentView& deployment, const SetView& set) {
  return set.replicas == deployment.replicas && set.available == deployment.replicas &&
         number_in(set.annotations, kDesiredReplicas) == deployment.replicas;
}

void share_out(const DeploymentView& deployment, const std::vector<SetView>& sets,
               std::vector<std::size_t> active, std::vector<std::int64_t>& sizes) {
  const std::int64_t allowed = deployment.replicas > 0 ? deployment.replicas + deployment.surge : 0;
  const std::int64_t change = allowed - total_replicas(sets);
  if (change == 0) return;
  // Larger ones first; of the same size, growing begins with the newer, shrinking with the older.
  std::ranges::sort(active, [&](std::size_t a, std::size_t b) {
    if (sets[a].replicas != sets[b].replicas) return sets[a].replicas > sets[b].replicas;
    return change > 0 ? is_older(sets[b], sets[a]) : is_older(sets[a], sets[b]);
  });
  std::int64_t done = 0;
  for (const std::size_t i : active) {
    const std::int64_t left = change - done;
    const std::int64_t share = fraction(deployment, sets[i]);
    const std::int64_t part = left == 0    ? 0
                              : change > 0 ? std::min(share, left)
                                           : std::max(share, left);
    sizes[i] += part;
    done += part;
  }
  sizes[active.front()] = std::max<std::int64_t>(sizes[active.front()] + change - done, 0);
}

}  // namespace

std::int64_t total_replicas(const std::vector<SetView>& sets) {
  return std::accumulate(sets.begin(), sets.end(), std::int64_t{0},
                         [](std::int64_t sum, const SetView& set) { return sum + set.replicas; });
}

std::int64_t new_set_replicas(const DeploymentView& deployment, std::int64_t total,
                              std::int64_t mine) {
  if (deployment.recreate) return deployment.replicas;
  const std::int64_t room = deployment.replicas + deployment.surge - total;
  if (room <= 0) return mine;
  return mine + std::min(room, deployment.replicas - mine);
}

std::vector<std::int64_t> shrink_old_sets(const DeploymentView& deployment,
                                          const std::vector<SetView>& sets, std::size_t current) {
  std::vector<std::int64_t> sizes = sizes_of(sets);
  const std::int64_t min_available = deployment.replicas - deployment.unavailable;
  const SetView& newest = sets[current];
  std::int64_t room = total_replicas(sets) - min_available - (newest.replicas - newest.available);
  if (room <= 0) return sizes;
  const auto old =
      by_age(sets, [&](std::size_t i) { return i != current && sets[i].replicas > 0; });

  // What is unhealthy goes first: it would block the update otherwise, and nobody misses it.
  for (const std::size_t i : old) {
    const std::int64_t sick =
        std::min(room, std::max<std::int64_t>(sets[i].replicas - sets[i].available, 0));
    sizes[i] -= sick;
    room -= sick;
  }
  std::int64_t available = 0;
  for (const SetView& set : sets) available += set.available;
  std::int64_t spare = available - min_available;
  for (const std::size_t i : old) {
    if (spare <= 0) break;
    const std::int64_t less = std::min(sizes[i], spare);
    sizes[i] -= less;
    spare -= less;
  }
  return sizes;
}

std::vector<std::int64_t> resize_sets(const DeploymentView& deployment,
                                      const std::vector<SetView>& sets, std::size_t current) {
  std::vector<std::int64_t> sizes = sizes_of(sets);
  if (sets.empty()) return sizes;
  const auto active = by_age(sets, [&](std::size_t i) { return sets[i].replicas > 0; });
  if (active.size() <= 1) {
    const auto all = by_age(sets, [](std::size_t) { return true; });
    const std::size_t only = active.size() == 1      ? active.front()
                             : current < sets.size() ? current
                                                     : all.back();
    sizes[only] = deployment.replicas;
  } else if (current < sets.size() && is_saturated(deployment, sets[current])) {
    for (const std::size_t i : active)
      if (i != current) sizes[i] = 0;
  } else if (!deployment.recreate) {
    share_out(deployment, sets, active, sizes);
  }
  return sizes;
}

}  // namespace slipway::runtime
