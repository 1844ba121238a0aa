#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "scenario/player/kinds.h"
#include "scenario/simulated/reading.h"

// Enough Pods, not too many, and traffic only where there are some.
namespace slipway::scenario {

namespace {

namespace argo = api::argo;

bool is_basic_canary(const sim::Change& rollout) {
  return is_canary(rollout) && !is_routed(rollout) &&
         !json::at(rollout.object, {"spec", "workloadRef"});
}

bool is_dynamic(const sim::Change& rollout) {
  return bool_at(rollout, {"spec", "strategy", "canary", "dynamicStableScale"});
}

// The Rollout behind a change of its experiments, sets or Pods, or itself.
const sim::Change* rollout_behind(const sim::Change& change, const Moment& now) {
  constexpr int kMaxOwners = 3;
  const sim::Change* at = &change;
  for (int i = 0; at && i < kMaxOwners && at->kind != kRollouts; ++i) {
    const auto owner = api::controller_of(at->object);
    at = owner ? now.find(owner->uid) : nullptr;
  }
  return at && at->kind == kRollouts ? at : nullptr;
}

// The sets whose Pods serve when nothing is going on: of a basic canary all of them.
std::vector<const sim::Change*> serving_sets(const sim::Change& rollout, const Moment& now) {
  if (is_basic_canary(rollout)) return now.owned(kReplicaSets, rollout.uid);
  const sim::Change* stable = set_of(now, rollout, text_at(rollout, {"status", "stableRS"}));
  return stable ? std::vector{stable} : std::vector<const sim::Change*>();
}

struct Pods {
  std::int64_t wanted = 0, ready = 0, unready = 0;  // those that are on their way out do not count
};
Pods count(const std::vector<const sim::Change*>& sets, const Moment& now) {
  Pods pods;
  for (const sim::Change* set : sets) {
    if (!api::is_deleting(set->object)) pods.wanted += replicas_of(set->object);
    for (const sim::Change* pod : now.owned(kPods, set->uid))
      if (is_ready(*pod))
        ++pods.ready;
      else if (!api::is_deleting(pod->object))
        ++pods.unready;
  }
  return pods;
}

// Nothing is going on: it has what it wants, and all of it is well.
bool is_at_rest(const sim::Change& rollout, const Moment& now) {
  if (text_at(rollout, {"status", "phase"}) != "Healthy" || !has_seen_its_spec(rollout))
    return false;
  // A Service may be a look behind: what it selects then may be ill, though nobody else is.
  const std::string_view selected = selected_by(now, stable_service_of(rollout));
  if (!selected.empty() && selected != text_at(rollout, {"status", "stableRS"})) return false;
  // On the way back Pods of the version that is left may have traffic for a while.
  if (number_at(rollout.object, {"status", "canary", "weights", "canary", "weight"}) > 0)
    return false;
  const std::int64_t replicas = replicas_of(rollout.object);
  const Pods pods = count(serving_sets(rollout, now), now);
  return pods.wanted == replicas && pods.ready == replicas && pods.unready == 0;
}

// What a Rollout asked for since it was last at rest.
struct Extent {
  std::int64_t most = 0;                                           // the surge included
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();  // replicas
  std::int64_t least = std::numeric_limits<std::int64_t>::max();   // promised to be available
  bool restarts = false;  // Pods were to be replaced, and perhaps are being so
  bool is_ill = false;    // a Pod was ready, and is no longer
  bool is_up = false;     // was at rest since it was scaled to nothing; does not go
  // By hash: how many Pods its set wanted when the last that was ready went.
  std::map<std::string, std::int64_t, std::less<>> size_at_loss = {};

  void widen(const sim::Change& rollout) {
    const std::int64_t replicas = replicas_of(rollout.object);
    restarts = restarts || is_restarting(rollout);
    is_up = is_up && replicas > 0 && !api::is_deleting(rollout.object);
    most = std::max(most, replicas + surge_of(rollout.object));
    fewest = std::min(fewest, replicas);
    least = std::min(least, replicas - missing(rollout));
  }
  // How many may be missing; a restart takes one at a time where none may be.
  std::int64_t missing(const sim::Change& rollout) const {
    const std::int64_t most_missing = unavailable_of(rollout.object);
    return restarts ? std::max<std::int64_t>(1, most_missing) : most_missing;
  }
};

std::int64_t ready_pods(const Moment& now, std::string_view hash) {
  return std::ranges::count_if(now.objects(), [&](const auto& entry) {
    return entry.second->kind == kPods && is_ready(*entry.second) &&
           label_of(*entry.second, argo::kHashLabel) == hash;
  });
}

class Watched {
 public:
  void take(const sim::Change& change, const sim::Change* before, const Moment& now) {
    if (change.kind != kRollouts && change.kind != kReplicaSets && change.kind != kPods) return;
    if (change.kind == kRollouts && is_deleted(change)) return (void)by_uid_.erase(change.uid);
    const sim::Change* rollout = rollout_behind(change, now);
    if (!rollout) return;
    Extent& extent = by_uid_[rollout->uid];
    if (change.kind == kPods && before && is_ready(*before) && !is_ready(change))
      lose(change, extent, *rollout, now);
    extent.widen(*rollout);
    if (!is_at_rest(*rollout, now)) return;
    extent = {.is_up = true};
    extent.widen(*rollout);
  }
  const Extent& extent(const std::string& uid) { return by_uid_[uid]; }
  // Its Pods can be counted on.
  bool is_sound(const std::string& uid) { return by_uid_[uid].is_up && !by_uid_[uid].is_ill; }

 private:
  static void lose(const sim::Change& pod, Extent& extent, const sim::Change& rollout,
                   const Moment& now) {
    if (!api::is_deleting(pod.object) && !is_deleted(pod)) extent.is_ill = true;
    const std::string hash(label_of(pod, argo::kHashLabel));
    const sim::Change* set = set_of(now, rollout, hash);
    if (set && ready_pods(now, hash) == 0) extent.size_at_loss[hash] = replicas_of(set->object);
  }

  std::map<std::string, Extent> by_uid_;
};

// Why a Service that has traffic cannot serve it.
Finding serves(const Moment& now, const sim::Change& rollout, const Extent& extent,
               std::string_view name) {
  const std::string_view hash = selected_by(now, name);
  if (hash.empty() || ready_pods(now, hash) > 0) return {};
  // A restart takes so many at once; more may have been wanted since.
  const auto lost = extent.size_at_loss.find(hash);
  if (extent.restarts && lost != extent.size_at_loss.end() &&
      lost->second <= extent.missing(rollout))
    return {};
  return fmt::format("{} has traffic for {}, and no Pod of {} is ready", rollout.key.name, name,
                     hash);
}

Finding routes_serve(const Moment& now, const sim::Change& rollout, const Extent& extent) {
  for (const auto& [uid, route] : now.objects()) {
    if (route->kind != kHttpRoutes) continue;
    const json::Value* rules = json::at(route->object, {"spec", "rules"});
    for (const json::Value& rule : rules->as_array())
      for (const json::Value& ref : rule.at("backendRefs").as_array())
        if (number_at(ref.as_object(), {"weight"}, 1) > 0)
          if (auto found = serves(now, rollout, extent, json::string_at(ref, {"name"})))
            return found;
  }
  return {};
}

// Without a router, Pods alone divide the traffic: each counts.
Finding basic_has_enough(const sim::Change& rollout, const Extent& extent, const Moment& now) {
  const std::int64_t ready = count(now.owned(kReplicaSets, rollout.uid), now).ready;
  if (ready >= extent.least) return {};
  return fmt::format("{} has {} Pods ready, fewer than {}", rollout.key.name, ready, extent.least);
}

Finding active_has_enough(const sim::Change& rollout, const Extent& extent, const Moment& now) {
  const std::string_view active = selected_by(now, stable_service_of(rollout));
  const std::int64_t ready = active.empty() ? extent.least : ready_pods(now, active);
  if (ready >= extent.least) return {};
  return fmt::format("{} has {} active Pods ready, fewer than {}", rollout.key.name, ready,
                     extent.least);
}

Finding stable_stays_whole(const sim::Change& rollout, const Extent& extent, const Moment& now) {
  const sim::Change* stable = set_of(now, rollout, text_at(rollout, {"status", "stableRS"}));
  if (!stable || replicas_of(stable->object) >= extent.fewest) return {};
  return fmt::format("the stable set of {} shall have {} Pods, fewer than {}", rollout.key.name,
                     replicas_of(stable->object), extent.fewest);
}

Finding has_enough(const sim::Change& rollout, const Extent& extent, const Moment& now) {
  if (!is_canary(rollout)) return active_has_enough(rollout, extent, now);
  if (is_basic_canary(rollout)) return basic_has_enough(rollout, extent, now);
  if (!is_routed(rollout) || is_dynamic(rollout)) return {};
  return stable_stays_whole(rollout, extent, now);
}

}  // namespace

Finding too_many_pods(const Story& story) {
  Watched watched;
  return each_change(
      story,
      [&](const sim::Change& change, const sim::Change* before, const Moment& now) -> Finding {
        watched.take(change, before, now);
        if (change.kind != kReplicaSets) return {};
        const sim::Change* rollout = rollout_behind(change, now);
        if (!rollout || !is_basic_canary(*rollout)) return {};
        const std::int64_t wanted = count(now.owned(kReplicaSets, rollout->uid), now).wanted;
        const std::int64_t most = watched.extent(rollout->uid).most;
        if (wanted <= most) return {};
        return fmt::format("the sets of {} shall have {} Pods, more than {}", rollout->key.name,
                           wanted, most);
      });
}

Finding too_few_pods(const Story& story) {
  Watched watched;
  return each_change(
      story,
      [&](const sim::Change& change, const sim::Change* before, const Moment& now) -> Finding {
        watched.take(change, before, now);
        if (change.kind != kPods && change.kind != kReplicaSets && change.kind != kServices &&
            change.kind != kRollouts)
          return {};
        for (const auto& [uid, rollout] : now.objects())
          if (rollout->kind == kRollouts && watched.is_sound(uid))
            if (auto found = has_enough(*rollout, watched.extent(uid), now)) return found;
        return {};
      });
}

Finding traffic_to_nobody(const Story& story) {
  Watched watched;
  return each_change(
      story,
      [&](const sim::Change& change, const sim::Change* before, const Moment& now) -> Finding {
        watched.take(change, before, now);
        if (change.kind != kPods && change.kind != kServices && change.kind != kHttpRoutes)
          return {};
        for (const auto& [uid, rollout] : now.objects()) {
          if (rollout->kind != kRollouts || !watched.is_sound(uid)) continue;
          const Extent& extent = watched.extent(uid);
          if (auto found = serves(now, *rollout, extent, stable_service_of(*rollout))) return found;
          if (is_routed(*rollout))
            if (auto found = routes_serve(now, *rollout, extent)) return found;
        }
        return {};
      });
}

}  // namespace slipway::scenario
