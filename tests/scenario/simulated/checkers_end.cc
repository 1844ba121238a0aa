#include <fmt/format.h>

#include "api/object.h"
#include "scenario/player/kinds.h"
#include "scenario/simulated/course.h"

// What is left when everybody has gone: everything at its end, and nothing in between.
namespace slipway::scenario {

namespace {

bool is_completed(std::string_view phase) {
  return phase == "Successful" || phase == "Failed" || phase == "Error" || phase == "Inconclusive";
}

// What a person last asked of this update, when that leads to an end; else empty.
std::string_view last_word(const Story& story, const sim::Change& rollout, const Update& update) {
  const Deed* last = nullptr;
  for (const Deed& deed : story.deeds)
    if (deed.name == rollout.key.name) last = &deed;
  if (!last || last->version <= update.begun) return {};
  return last->verb == "promote --full" || last->verb == "abort" ? last->verb : std::string_view();
}

// Whether there is somebody to wait for.
bool waits_for_a_person(const sim::Change& rollout) {
  if (bool_at(rollout, {"spec", "paused"})) return true;
  const json::Value* pauses = json::at(rollout.object, {"status", "pauseConditions"});
  if (!pauses || !pauses->is_array() || pauses->get_array().empty()) return false;
  const std::string_view reason = json::string_at(pauses->get_array()[0], {"reason"});
  if (reason.starts_with("Inconclusive")) return true;
  if (reason == "BlueGreenPause") {
    const auto* enabled =
        json::at(rollout.object, {"spec", "strategy", "blueGreen", "autoPromotionEnabled"});
    return enabled && enabled->is_bool() && !enabled->get_bool();
  }
  const json::Array& steps = steps_of(rollout);
  const auto step = static_cast<std::size_t>(step_of(rollout));
  return reason == "CanaryPauseStep" && step < steps.size() && json::at(steps[step], {"pause"}) &&
         !json::at(steps[step], {"pause", "duration"});
}

Finding phase_is_an_end(const Story& story, const sim::Change& rollout, const Update& update) {
  const std::string_view phase = text_at(rollout, {"status", "phase"});
  const std::string_view word = last_word(story, rollout, update);
  const bool is_end =
      phase == "Healthy" ||
      (phase == "Degraded" && bool_at(rollout, {"status", "abort"}) && word != "promote --full") ||
      (phase == "Paused" && waits_for_a_person(rollout) && word.empty());
  if (!is_end)
    return fmt::format("{} is {} ({})", rollout.key.name, phase,
                       text_at(rollout, {"status", "message"}));
  if (!has_seen_its_spec(rollout))
    return fmt::format("{} has not seen its generation {}", rollout.key.name,
                       api::generation_of(rollout.object));
  return {};
}

Finding children_ended(const sim::Change& rollout, const Moment& now) {
  for (const api::Gvr* kind : {&kAnalysisRuns, &kExperiments})
    for (const sim::Change* child : now.owned(*kind, rollout.uid))
      if (!is_completed(text_at(*child, {"status", "phase"})))
        return fmt::format("{} is {}, and its {} goes on", rollout.key.name,
                           text_at(rollout, {"status", "phase"}), child->key.name);
  return {};
}

Finding only_stable_is_up(const sim::Change& rollout, const Moment& now) {
  const std::string_view stable = text_at(rollout, {"status", "stableRS"});
  const sim::Change* whole = set_of(now, rollout, stable);
  for (const sim::Change* set : now.owned(kReplicaSets, rollout.uid)) {
    const std::int64_t wanted = set == whole ? replicas_of(rollout.object) : 0;
    if (replicas_of(set->object) != wanted)
      return fmt::format("{} is {}, and {} has {} Pods instead of {}", rollout.key.name,
                         text_at(rollout, {"status", "phase"}), set->key.name,
                         replicas_of(set->object), wanted);
  }
  return {};
}

// Weights of all but the stable version's Service.
Finding only_stable_has_weight(const sim::Change& rollout, const Moment& now) {
  const std::string_view service = stable_service_of(rollout);
  if (const auto weight =
          number_at(rollout.object, {"status", "canary", "weights", "canary", "weight"}))
    return fmt::format("{} says that its canary has a weight of {}", rollout.key.name, weight);
  for (const auto& [uid, route] : now.objects()) {
    if (route->kind != kHttpRoutes) continue;
    const json::Value* rules = json::at(route->object, {"spec", "rules"});
    for (const json::Value& rule : rules->as_array())
      for (const json::Value& ref : rule.at("backendRefs").as_array())
        if (json::string_at(ref, {"name"}) != service &&
            number_at(ref.as_object(), {"weight"}, 1) > 0)
          return fmt::format("{} is {}, and {} still has {}", rollout.key.name,
                             text_at(rollout, {"status", "phase"}), route->key.name,
                             json::write(ref));
  }
  return {};
}

Finding stable_has_traffic(const sim::Change& rollout, const Moment& now) {
  const std::string_view selected = selected_by(now, stable_service_of(rollout));
  // A Service does not turn to a set without Pods.
  if (!selected.empty() && replicas_of(rollout.object) > 0 &&
      selected != text_at(rollout, {"status", "stableRS"}))
    return fmt::format("{} is {}, and its Service selects {}", rollout.key.name,
                       text_at(rollout, {"status", "phase"}), selected);
  return is_routed(rollout) ? only_stable_has_weight(rollout, now) : Finding();
}

Finding rollout_ended(const Story& story, const sim::Change& rollout, const Update& update,
                      const Moment& now) {
  if (Finding found = phase_is_an_end(story, rollout, update)) return found;
  // One that waits for somebody has a reason to keep things going.
  if (text_at(rollout, {"status", "phase"}) == "Paused" || bool_at(rollout, {"spec", "paused"}))
    return {};
  if (Finding found = children_ended(rollout, now)) return found;
  if (Finding found = only_stable_is_up(rollout, now)) return found;
  return stable_has_traffic(rollout, now);
}

Finding object_ended(const sim::Change& object, const Moment& now) {
  const std::int64_t pods = number_at(object.object, {"status", "replicas"});
  if (object.kind == kReplicaSets && pods != replicas_of(object.object))
    return fmt::format("{} has {} Pods of {}", object.key.name, pods, replicas_of(object.object));
  for (const auto& owner : api::owners_of(object.object))
    if (!now.find(owner.uid))
      return fmt::format("{} outlived its owner {}", object.key.name, owner.name);
  return {};
}

}  // namespace

Finding does_not_end(const Story& story) {
  Course course(story);
  Moment end;
  (void)each_change(
      story,
      [&](const sim::Change& change, const sim::Change* before, const Moment& now) -> Finding {
        course.take(change, before, now);
        end.take(change);
        return {};
      });
  for (const auto& [uid, object] : end.objects()) {
    if (object->kind == kRollouts)
      if (Finding found = rollout_ended(story, *object, course.of(uid), end)) return found;
    if (Finding found = object_ended(*object, end)) return found;
  }
  return {};
}

}  // namespace slipway::scenario
