#include "scenario/simulated/reading.h"

#include <algorithm>
#include <cmath>

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "scenario/player/kinds.h"

namespace slipway::scenario {

namespace {

constexpr double kDefaultPercent = 25;

// A number, or a share of the replicas in percent.
double amount(const json::Object& rollout, std::string_view field, std::int64_t replicas) {
  const auto* strategy = json::at(rollout, {"spec", "strategy", "canary"}) ? "canary" : "blueGreen";
  const json::Value* found = json::at(rollout, {"spec", "strategy", strategy, field});
  if (found && found->is_int64()) return static_cast<double>(found->get_int64());
  const double percent = found && found->is_string()
                             ? std::strtod(std::string(found->get_string()).c_str(), nullptr)
                             : kDefaultPercent;
  return percent * static_cast<double>(replicas) / 100;
}

}  // namespace

void Moment::take(const sim::Change& change) {
  if (is_deleted(change))
    objects_.erase(change.uid);
  else
    objects_[change.uid] = &change;
}

const sim::Change* Moment::find(const std::string& uid) const {
  const auto found = objects_.find(uid);
  return found == objects_.end() ? nullptr : found->second;
}

const sim::Change* Moment::find(const api::Gvr& kind, std::string_view name) const {
  for (const auto& [uid, object] : objects_)
    if (object->kind == kind && object->key.name == name) return object;
  return nullptr;
}

std::vector<const sim::Change*> Moment::owned(const api::Gvr& kind,
                                              const std::string& owner) const {
  std::vector<const sim::Change*> found;
  for (const auto& [uid, object] : objects_)
    if (object->controller == owner && object->kind == kind) found.push_back(object);
  return found;
}

Finding each_change(const Story& story, const Look& look) {
  Moment now;
  for (const sim::Change& change : story.changes) {
    const sim::Change* before = now.find(change.uid);
    now.take(change);
    if (Finding found = look(change, before, now))
      return *found + " (version " + std::to_string(change.version) + ")";
  }
  return {};
}

bool is_deleted(const sim::Change& change) { return change.type == store::EventType::kDeleted; }

std::string_view text_at(const sim::Change& change, json::Path path) {
  return json::string_at(change.object, path);
}

std::int64_t number_at(const json::Object& object, json::Path path, std::int64_t otherwise) {
  const json::Value* found = json::at(object, path);
  return found && found->is_int64() ? found->get_int64() : otherwise;
}

bool bool_at(const sim::Change& change, json::Path path) {
  const json::Value* found = json::at(change.object, path);
  return found && found->is_bool() && found->get_bool();
}

std::string_view label_of(const sim::Change& change, std::string_view key) {
  return json::string_at(change.object, {"metadata", "labels", key});
}

std::string_view annotation_of(const sim::Change& change, std::string_view key) {
  return api::annotation_of(change.object, key);
}

const Deed* deed_of(const Story& story, store::Version version) {
  const auto found = std::ranges::find(story.deeds, version, &Deed::version);
  return found == story.deeds.end() ? nullptr : &*found;
}

bool was_done(const Story& story, std::string_view name,
              std::initializer_list<std::string_view> verbs, store::Version after,
              store::Version until) {
  return std::ranges::any_of(story.deeds, [&](const Deed& deed) {
    return deed.name == name && deed.version > after && deed.version <= until &&
           std::ranges::find(verbs, deed.verb) != verbs.end();
  });
}

std::int64_t replicas_of(const json::Object& rollout) {
  return number_at(rollout, {"spec", "replicas"}, 1);
}

std::int64_t surge_of(const json::Object& rollout) {
  return static_cast<std::int64_t>(std::ceil(amount(rollout, "maxSurge", replicas_of(rollout))));
}

std::int64_t unavailable_of(const json::Object& rollout) {
  const std::int64_t replicas = replicas_of(rollout);
  const auto most = static_cast<std::int64_t>(amount(rollout, "maxUnavailable", replicas));
  return std::min(replicas, most == 0 && surge_of(rollout) == 0 ? 1 : most);
}

bool is_canary(const sim::Change& rollout) {
  return json::at(rollout.object, {"spec", "strategy", "canary"}) != nullptr;
}

bool is_routed(const sim::Change& rollout) {
  return json::at(rollout.object, {"spec", "strategy", "canary", "trafficRouting"}) != nullptr;
}

const json::Array& steps_of(const sim::Change& rollout) {
  static const json::Array kNone;
  const json::Value* steps = json::at(rollout.object, {"spec", "strategy", "canary", "steps"});
  return steps && steps->is_array() ? steps->get_array() : kNone;
}

std::int64_t step_of(const sim::Change& rollout) {
  return number_at(rollout.object, {"status", "currentStepIndex"});
}

bool has_seen_its_spec(const sim::Change& rollout) {
  return text_at(rollout, {"status", "observedGeneration"}) ==
         std::to_string(api::generation_of(rollout.object));
}

bool is_restarting(const sim::Change& rollout) {
  return text_at(rollout, {"spec", "restartAt"}) != text_at(rollout, {"status", "restartedAt"});
}

std::string_view stable_service_of(const sim::Change& rollout) {
  if (!is_canary(rollout))
    return text_at(rollout, {"spec", "strategy", "blueGreen", "activeService"});
  if (!json::at(rollout.object, {"spec", "strategy", "canary", "pingPong"}))
    return text_at(rollout, {"spec", "strategy", "canary", "stableService"});
  const bool is_ping = text_at(rollout, {"status", "canary", "stablePingPong"}) == "ping";
  return text_at(
      rollout, {"spec", "strategy", "canary", "pingPong", is_ping ? "pingService" : "pongService"});
}

const sim::Change* set_of(const Moment& now, const sim::Change& rollout, std::string_view hash) {
  for (const sim::Change* set : now.owned(kReplicaSets, rollout.uid))
    if (label_of(*set, api::argo::kHashLabel) == hash) return set;
  return nullptr;
}

std::string_view selected_by(const Moment& now, std::string_view service) {
  const sim::Change* found = service.empty() ? nullptr : now.find(kServices, service);
  return found ? text_at(*found, {"spec", "selector", api::argo::kHashLabel}) : std::string_view();
}

bool is_ready(const sim::Change& pod) {
  const json::Value* conditions = json::at(pod.object, {"status", "conditions"});
  if (!conditions || !conditions->is_array() || api::is_deleting(pod.object)) return false;
  return std::ranges::any_of(conditions->get_array(), [](const json::Value& one) {
    return json::string_at(one, {"type"}) == "Ready" && json::string_at(one, {"status"}) == "True";
  });
}

}  // namespace slipway::scenario
