#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "scenario/player/kinds.h"
#include "scenario/simulated/reading.h"

// Enough Pods, not too many, and traffic only where there are some.
namespace slipway::scenario {

namespace {

namespace argo = api::argo;

struct Extent {
  std::int64_t most = 0;           // ever wanted, the surge included
  std::int64_t least = 1'000'000;  // ever promised to be available
  bool was_healthy = false;
};

// Rollouts whose Pods can be counted on: they were up since they were last scaled to nothing, and
// no Pod fell ill.
class Watched {
 public:
  void take(const sim::Change& change, const sim::Change* before) {
    if (change.kind == kPods && before && is_ready(*before) && !is_ready(change) &&
        !api::is_deleting(change.object) && !is_deleted(change))
      is_ill_ = true;
    if (change.kind != kRollouts || is_deleted(change)) return;
    Extent& extent = by_uid_[change.uid];
    const std::int64_t replicas = replicas_of(change.object);
    extent.most = std::max(extent.most, replicas + surge_of(change.object));
    extent.least = std::min(extent.least, replicas - unavailable_of(change.object));
    const std::string generation = std::to_string(api::generation_of(change.object));
    if (replicas == 0)
      extent.was_healthy = false;
    else if (text_at(change, {"status", "observedGeneration"}) == generation)
      extent.was_healthy |= text_at(change, {"status", "phase"}) == "Healthy";
  }
  const Extent& extent(const std::string& uid) { return by_uid_[uid]; }
  bool is_ill() const { return is_ill_; }

 private:
  std::map<std::string, Extent> by_uid_;
  bool is_ill_ = false;
};

// The Rollout behind a change of its sets or Pods, or itself.
const sim::Change* rollout_behind(const sim::Change& change, const Moment& now) {
  const sim::Change* at = &change;
  for (int i = 0; at && i < 2 && at->kind != kRollouts; ++i) {
    const auto owner = api::controller_of(at->object);
    at = owner ? now.find(owner->uid) : nullptr;
  }
  return at && at->kind == kRollouts ? at : nullptr;
}

bool is_basic_canary(const sim::Change& rollout) {
  return is_canary(rollout) && !is_routed(rollout) &&
         !json::at(rollout.object, {"spec", "workloadRef"});
}

std::int64_t ready_pods(const Moment& now, std::string_view hash) {
  return std::ranges::count_if(now.objects(), [&](const auto& entry) {
    return entry.second->kind == kPods && is_ready(*entry.second) &&
           label_of(*entry.second, argo::kHashLabel) == hash;
  });
}

// Even the only Pod of a set goes then, as it was asked for.
bool is_restarting(const sim::Change& rollout) {
  return text_at(rollout, {"spec", "restartAt"}) != text_at(rollout, {"status", "restartedAt"});
}

// Why a Service that has traffic cannot serve it.
Finding serves(const Moment& now, const sim::Change& rollout, std::string_view name) {
  const sim::Change* service = name.empty() ? nullptr : now.find(kServices, name);
  if (!service) return {};
  const std::string hash(text_at(*service, {"spec", "selector", argo::kHashLabel}));
  if (hash.empty() || ready_pods(now, hash) > 0) return {};
  return fmt::format("{} has traffic for {}, and no Pod of {} is ready", rollout.key.name, name,
                     hash);
}

Finding routes_serve(const Moment& now, const sim::Change& rollout) {
  for (const auto& [uid, route] : now.objects()) {
    if (route->kind != kHttpRoutes) continue;
    const json::Value* rules = json::at(route->object, {"spec", "rules"});
    for (const json::Value& rule : rules->as_array())
      for (const json::Value& ref : rule.at("backendRefs").as_array())
        if (number_at(ref.as_object(), {"weight"}, 1) > 0)
          if (auto found = serves(now, rollout, json::string_at(ref, {"name"}))) return found;
  }
  return {};
}

}  // namespace

Finding too_many_pods(const Story& story) {
  Watched watched;
  return each_change(
      story,
      [&](const sim::Change& change, const sim::Change* before, const Moment& now) -> Finding {
        watched.take(change, before);
        const sim::Change* rollout = rollout_behind(change, now);
        if (!rollout || change.kind != kReplicaSets || !is_basic_canary(*rollout)) return {};
        std::int64_t wanted = 0;
        for (const sim::Change* set : now.owned(kReplicaSets, rollout->uid))
          if (!api::is_deleting(set->object)) wanted += replicas_of(set->object);
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
        watched.take(change, before);
        const sim::Change* rollout = rollout_behind(change, now);
        if (!rollout || change.kind != kPods || !is_basic_canary(*rollout) || watched.is_ill())
          return {};
        const Extent& extent = watched.extent(rollout->uid);
        if (!extent.was_healthy || deed_of(story, change.version)) return {};
        std::int64_t ready = 0;
        for (const sim::Change* set : now.owned(kReplicaSets, rollout->uid))
          for (const sim::Change* pod : now.owned(kPods, set->uid)) ready += is_ready(*pod) ? 1 : 0;
        if (ready >= extent.least) return {};
        return fmt::format("{} has {} Pods ready, fewer than {}", rollout->key.name, ready,
                           extent.least);
      });
}

Finding traffic_to_nobody(const Story& story) {
  Watched watched;
  return each_change(
      story,
      [&](const sim::Change& change, const sim::Change* before, const Moment& now) -> Finding {
        watched.take(change, before);
        if (change.kind != kPods && change.kind != kServices && change.kind != kHttpRoutes)
          return {};
        if (watched.is_ill()) return {};
        for (const auto& [uid, rollout] : now.objects()) {
          if (rollout->kind != kRollouts || !watched.extent(uid).was_healthy) continue;
          if (replicas_of(rollout->object) == 0 || is_restarting(*rollout)) continue;
          for (const std::string_view name :
               {text_at(*rollout, {"spec", "strategy", "canary", "stableService"}),
                text_at(*rollout, {"spec", "strategy", "blueGreen", "activeService"})})
            if (auto found = serves(now, *rollout, name)) return found;
          if (is_routed(*rollout))
            if (auto found = routes_serve(now, *rollout)) return found;
        }
        return {};
      });
}

}  // namespace slipway::scenario
