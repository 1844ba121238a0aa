#include "rollout/strategy/traffic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rollout/strategy/revisions.h"
#include "rollout/strategy/services.h"

namespace slipway::rollout {

namespace {

// Somebody else may write routes at any time, and nobody tells: while an update is under way they
// are compared with what they should be at least this often.
constexpr Duration kRouteCheck = std::chrono::seconds(30);

enum class Mode { kRollback, kPromoted, kAborted, kNoCanary, kPromoting, kSteps };

Mode mode_of(const Draft& draft) {
  if (!dynamic_rollback_hash(draft).empty()) return Mode::kRollback;
  if (is_fully_promoted(draft.before) || draft.before.stable_rs.empty()) return Mode::kPromoted;
  if (draft.is_aborted()) return Mode::kAborted;
  if (!draft.sets.latest || draft.sets.latest->available == 0) return Mode::kNoCanary;
  if (draft.before.promote_full) return Mode::kPromoting;
  return Mode::kSteps;
}

// On the way back, weight follows the Pods that the stable set has.
Count weight_going_back(const Draft& draft) {
  const argo::RolloutSpec& spec = draft.rollout.spec;
  const Count replicas = replicas_of(spec);
  if (!is_dynamic(spec) || !draft.sets.stable || !draft.sets.latest || replicas == 0) return 0;
  const Count most = max_weight_of(spec);
  // Back at the stable version no step asks for any.
  const Count desired =
      is_fully_promoted(draft.before) ? 0 : desired_weight(draft.rollout, draft.sets);
  const auto stable_weight =
      static_cast<Count>(static_cast<std::int64_t>(most) * draft.sets.stable->available / replicas);
  const Count expected = std::max(0, most - stable_weight);
  if (!draft.before.canary.weights) return std::max(expected, desired);
  const Count now = draft.before.canary.weights->canary.weight;
  if (desired <= 0) return std::min(expected, now);
  if (stable_weight < most - desired) return now;
  return std::min(desired, now);
}

Count weight_promoting(const Draft& draft) {
  const argo::RolloutSpec& spec = draft.rollout.spec;
  const Count replicas = replicas_of(spec);
  if (is_dynamic(spec) && replicas > 0 && draft.sets.latest->is_observed)
    return static_cast<Count>(std::min<std::int64_t>(
        max_weight_of(spec),
        static_cast<std::int64_t>(max_weight_of(spec)) * draft.sets.latest->available / replicas));
  return draft.before.canary.weights ? draft.before.canary.weights->canary.weight : 0;
}

Count weight_of_steps(const Draft& draft) {
  const StepPosition position = position_of(draft.rollout);
  const bool is_ready = is_at_counts(draft.rollout, draft.sets, {});
  if (const auto& now = draft.before.canary.weights; now && is_inconclusive(draft))
    return now->canary.weight;
  if (!position.index) return is_ready ? max_weight_of(draft.rollout.spec) : 0;
  return is_ready ? current_weight(draft.rollout) : previous_weight(draft.rollout);
}

std::vector<argo::WeightDestination> experiment_weights(const Draft& draft) {
  std::vector<argo::WeightDestination> weights;
  const auto* step = nearest_experiment(draft.rollout);
  const Experiment* experiment = draft.experiment;
  if (!step || !experiment || experiment->phase != "Running") return weights;
  for (const ExperimentTemplate& running : experiment->templates)
    for (const auto& wanted : step->templates)
      if (wanted.name == running.name && wanted.weight)
        weights.push_back({.weight = *wanted.weight,
                           .service_name = running.service_name,
                           .pod_template_hash = running.hash});
  return weights;
}

bool same(const argo::WeightDestination& a, const argo::WeightDestination& b) {
  return a.weight == b.weight && a.service_name == b.service_name &&
         a.pod_template_hash == b.pod_template_hash;
}

bool same(const std::optional<argo::TrafficWeights>& a, const argo::TrafficWeights& b) {
  return a && same(a->canary, b.canary) && same(a->stable, b.stable) &&
         std::ranges::equal(a->additional, b.additional,
                            [](const auto& x, const auto& y) { return same(x, y); });
}

argo::TrafficWeights weights_of(const Draft& draft, Mode mode) {
  const ServiceNames services = service_names(draft.rollout);
  argo::TrafficWeights weights;
  weights.canary = {.weight = traffic_weight(draft), .service_name = services.canary};
  if (draft.sets.latest) weights.canary.pod_template_hash = draft.sets.latest->hash;
  if (mode == Mode::kRollback) weights.canary.pod_template_hash = dynamic_rollback_hash(draft);
  Count stable = max_weight_of(draft.rollout.spec) - weights.canary.weight;
  if (mode == Mode::kSteps || mode == Mode::kNoCanary)
    weights.additional = experiment_weights(draft);
  for (const auto& more : weights.additional) stable -= more.weight;
  weights.stable = {.weight = std::max(0, stable), .service_name = services.stable};
  if (draft.sets.stable) weights.stable.pod_template_hash = draft.sets.stable->hash;
  return weights;
}

bool can_stable_serve(const Draft& draft, Count canary_weight) {
  const argo::RolloutSpec& spec = draft.rollout.spec;
  const ReplicaSet* stable = draft.sets.stable;
  if (!stable) return false;
  const Count most = max_weight_of(spec);
  auto needed = static_cast<Count>(static_cast<std::int64_t>(most - canary_weight) *
                                   replicas_of(spec) / most);
  // While it is held the set may not grow: an abort makes do with what there is.
  if (draft.is_aborted() && !halt_reason(draft.rollout).empty())
    needed = std::min(needed, std::max<Count>(1, stable->replicas));
  return certain_of(*stable) >= needed ||
         is_enough(spec.strategy.canary->replica_progress_threshold, stable, needed);
}

// As the steps so far have left them: each names the whole of its route, without matches that there
// is none.
void add_managed_routes(const argo::Rollout& rollout, RouteTraffic& route) {
  const auto& steps = rollout.spec.strategy.canary->steps;
  const auto reached = static_cast<std::size_t>(position_of(rollout).index.value_or(0));
  const auto forget = [&](const std::string& name) {
    std::erase_if(route.header_routes, [&](const auto& one) { return one.name == name; });
    std::erase_if(route.mirror_routes, [&](const auto& one) { return one.name == name; });
  };
  for (std::size_t i = 0; i < steps.size() && i <= reached; ++i) {
    if (const auto& header = steps[i].set_header_route) {
      forget(header->name);
      if (!header->match.empty()) route.header_routes.push_back(*header);
    }
    if (const auto& mirror = steps[i].set_mirror_route) {
      forget(mirror->name);
      if (!mirror->match.empty()) route.mirror_routes.push_back(*mirror);
    }
  }
}

bool has_router(const argo::RolloutTrafficRouting& routing) {
  return routing.istio || routing.nginx || routing.alb || routing.smi || routing.ambassador ||
         routing.app_mesh || routing.traefik || routing.apisix || routing.gateway_api ||
         !routing.plugins.empty();
}

}  // namespace

Count traffic_weight(const Draft& draft) {
  switch (mode_of(draft)) {
    case Mode::kRollback:
    case Mode::kAborted:
      return weight_going_back(draft);
    case Mode::kPromoting:
      return weight_promoting(draft);
    case Mode::kSteps:
      return weight_of_steps(draft);
    case Mode::kPromoted:
    case Mode::kNoCanary:
      break;
  }
  return 0;
}

std::string weights_message(const std::optional<argo::TrafficWeights>& before,
                            const argo::TrafficWeights& after) {
  std::vector<std::string> details;
  if (!before)
    details.push_back(fmt::format("to {}", after.canary.weight));
  else if (before->canary.weight != after.canary.weight)
    details.push_back(fmt::format("from {} to {}", before->canary.weight, after.canary.weight));
  for (const auto& more : after.additional)
    details.push_back(fmt::format("{} to {}", more.service_name, more.weight));
  if (before)
    for (const auto& former : before->additional)
      if (std::ranges::find(after.additional, former.service_name,
                            &argo::WeightDestination::service_name) == after.additional.end())
        details.push_back(fmt::format("{} to 0", former.service_name));
  if (details.empty()) return {};
  return fmt::format("Traffic weight updated {}", fmt::join(details, ", "));
}

void decide_traffic(Draft& draft) {
  const auto& routing = draft.rollout.spec.strategy.canary->traffic_routing;
  if (!routing || !has_router(*routing)) {
    draft.status.canary.weights.reset();
    return;
  }
  const Mode mode = mode_of(draft);
  const argo::TrafficWeights weights = weights_of(draft, mode);
  const auto& before = draft.before.canary.weights;
  if (mode == Mode::kAborted && !draft.rollout.spec.strategy.canary->ping_pong &&
      weights.canary.weight == 0)
    point_service(draft, service_names(draft.rollout).canary, draft.sets.stable, false);
  if (!can_stable_serve(draft, weights.canary.weight)) return;

  RouteTraffic route{.weights = weights};
  route.weights_first = mode == Mode::kNoCanary && before;
  // The first revision, and a quick way back, go past the steps without living through them.
  if (draft.revision > 1 && mode == Mode::kSteps && !is_rollback_in_window(draft))
    add_managed_routes(draft.rollout, route);
  draft.act(std::move(route));
  if (mode != Mode::kPromoted) draft.look_again(draft.seen.now + kRouteCheck);
  if (same(before, weights)) return;
  if (std::string message = weights_message(before, weights); !message.empty())
    draft.say("TrafficWeightUpdated", std::move(message));
  draft.status.canary.weights = weights;
}

}  // namespace slipway::rollout
