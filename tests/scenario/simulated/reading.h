#pragma once

#include <functional>
#include <map>
#include <string>

#include "scenario/simulated/checkers.h"

// How checkers read what happened.
namespace slipway::scenario {

// Live objects by uid, as of one moment.
class Moment {
 public:
  void take(const sim::Change& change);

  using Objects = std::map<std::string, const sim::Change*>;
  const Objects& objects() const { return objects_; }
  const sim::Change* find(const std::string& uid) const;
  const sim::Change* find(const api::Gvr& kind, std::string_view name) const;
  // Those of a kind that `owner` controls.
  std::vector<const sim::Change*> owned(const api::Gvr& kind, const std::string& owner) const;

 private:
  Objects objects_;
};

// Each change in turn, with the object as it was before (null: there was none) and the moment
// after. Ends with the first finding.
using Look =
    std::function<Finding(const sim::Change& change, const sim::Change* before, const Moment& now)>;
Finding each_change(const Story& story, const Look& look);

bool is_deleted(const sim::Change& change);
std::string_view text_at(const sim::Change& change, json::Path path);
std::int64_t number_at(const json::Object& object, json::Path path, std::int64_t otherwise = 0);
bool bool_at(const sim::Change& change, json::Path path);
std::string_view label_of(const sim::Change& change, std::string_view key);
std::string_view annotation_of(const sim::Change& change, std::string_view key);

// The deed that made a version; null when it was no person's.
const Deed* deed_of(const Story& story, store::Version version);
// Whether a person did one of these to `name` after one version and before or at another.
bool was_done(const Story& story, std::string_view name,
              std::initializer_list<std::string_view> verbs, store::Version after,
              store::Version until);

// Counts of a Rollout's spec, with Argo's defaults.
std::int64_t replicas_of(const json::Object& rollout);
std::int64_t surge_of(const json::Object& rollout);
std::int64_t unavailable_of(const json::Object& rollout);
bool is_canary(const sim::Change& rollout);
bool is_routed(const sim::Change& rollout);
const json::Array& steps_of(const sim::Change& rollout);
std::int64_t step_of(const sim::Change& rollout);  // where it is among them
bool has_seen_its_spec(const sim::Change& rollout);
// Pods shall be replaced, and were not all.
bool is_restarting(const sim::Change& rollout);
// The Service that its stable version is behind; empty: none.
std::string_view stable_service_of(const sim::Change& rollout);

// A Rollout's set of a hash; null: there is none.
const sim::Change* set_of(const Moment& now, const sim::Change& rollout, std::string_view hash);
// The hash that a Service selects; empty: there is no such Service, or it selects none.
std::string_view selected_by(const Moment& now, std::string_view service);

bool is_ready(const sim::Change& pod);

}  // namespace slipway::scenario
