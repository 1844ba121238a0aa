#include "rollout/facts.h"

#include <algorithm>

#include "rollout/objects/fields.h"
#include "rollout/status/conditions.h"

namespace slipway::rollout {

namespace {

struct Named {
  std::string_view key, word;
};
// Argo's words, and its order: the last that is there counts.
constexpr Named kRouters[] = {{"alb", "ALB"},
                              {"ambassador", "Ambassador"},
                              {"istio", "Istio"},
                              {"nginx", "Nginx"},
                              {"smi", "SMI"},
                              {"appMesh", "AppMesh"},
                              {"traefik", "Traefik"},
                              {"apisix", "APISIX"},
                              {"gatewayAPI", "GatewayAPI"}};
constexpr Named kPhases[] = {{kNewSetAvailableReason, "Completed"},
                             {kPausedReason, "Paused"},
                             {"ReplicaSetCreateError", "Error"},
                             {kTimedOutReason, "Timeout"},
                             {kAbortedReason, "Abort"}};

bool is_there(const json::Value* value) { return value && !value->is_null(); }

std::string router_of(const json::Value& rollout) {
  const json::Value* routing = json::at(rollout, {"spec", "strategy", "canary", "trafficRouting"});
  if (!is_there(routing)) return {};
  std::string router;
  for (const auto& [key, word] : kRouters)
    if (is_there(json::at(*routing, {key}))) router = word;
  const json::Value* plugins = json::at(*routing, {"plugins"});
  if (router.empty() && plugins && plugins->is_object() && !plugins->get_object().empty())
    router = std::string_view(plugins->get_object().begin()->key());
  return router;
}

std::string phase_in(const json::Value& rollout) {
  std::string phase = "Progressing";
  const json::Value* conditions = json::at(rollout, {"status", "conditions"});
  if (!conditions || !conditions->is_array()) return phase;
  for (const json::Value& condition : conditions->get_array()) {
    const auto type = json::string_at(condition, {"type"});
    if (type == kInvalidSpec) return "InvalidSpec";
    if (type != kProgressing) continue;
    const auto reason = json::string_at(condition, {"reason"});
    const auto* found = std::ranges::find(kPhases, reason, &Named::key);
    if (found != std::end(kPhases)) phase = found->word;
  }
  return phase;
}

double seconds_between(Time from, Time to) {
  return std::max(0.0, std::chrono::duration<double>(to - from).count());
}

}  // namespace

RolloutFacts facts_of(const json::Value& rollout) {
  RolloutFacts facts{.router = router_of(rollout), .phase = phase_in(rollout)};
  if (is_there(json::at(rollout, {"spec", "strategy", "blueGreen"})))
    facts.strategy = "blueGreen";
  else if (is_there(json::at(rollout, {"spec", "strategy", "canary"})))
    facts.strategy = "canary";
  facts.desired = number_at(rollout, {"spec", "replicas"}, 1);
  facts.available = number_at(rollout, {"status", "availableReplicas"});
  facts.unavailable = number_at(rollout, {"status", "replicas"}) - facts.available;
  facts.updated = number_at(rollout, {"status", "updatedReplicas"});
  return facts;
}

void UpdateTimes::see(const std::optional<api::argo::RolloutDuration>& before,
                      const std::optional<api::argo::RolloutDuration>& after) {
  if (!after || !after->rollout_started_at) return;
  const bool is_other = before && before->rollout_started_at != after->rollout_started_at;
  const auto count = [this](const api::argo::RolloutDuration& update, Time end,
                            const std::string& how) {
    const double all = seconds_between(*update.rollout_started_at, end);
    double held = static_cast<double>(update.total_manual_pause_duration_seconds);
    if (update.manual_pause_started_at)
      held += seconds_between(*update.manual_pause_started_at, end);
    Times& times = by_end_[how];
    times.all.observe(all);
    times.progression.observe(std::max(0.0, all - held));
    times.manual_pause.observe(held);
  };
  if (is_other && before->rollout_started_at && !before->finished_at)
    count(*before, *after->rollout_started_at, "Superseded");
  const bool was_ended = before && !is_other && before->finished_at;
  if (after->finished_at && !was_ended)
    count(*after, *after->finished_at, after->completion_status);
}

}  // namespace slipway::rollout
