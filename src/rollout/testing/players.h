#pragma once

#include <functional>
#include <limits>
#include <map>
#include <string>

#include "api/object.h"
#include "control/manager.h"
#include "rollout/objects/fields.h"
#include "rollout/shell/gather.h"
#include "store/decode.h"

// Those whose part it is to bring ReplicaSets, AnalysisRuns and Experiments to life, played.
namespace slipway::rollout {

// Pods of a set are there at once, ready after a while, and gone when they are no longer wanted.
class ReplicaSetPlayer final : public control::Reconciler {
 public:
  explicit ReplicaSetPlayer(control::Manager& manager) : manager_(manager) {}
  static control::ControllerOptions options() { return {.name = "player", .kind = kReplicaSets}; }

  Duration ready_after = std::chrono::seconds(5);
  Count at_most = std::numeric_limits<Count>::max();  // of a set get ready
  std::function<bool(const json::Value& set)> never_ready = [](const json::Value&) {
    return false;
  };

  slipway::Task<Result<control::Outcome>> reconcile(store::Key key) override {
    auto item = co_await manager_.store().get(kReplicaSets, key);
    if (!item) co_return control::Outcome{};
    const json::Value set = *store::decode(*item);
    const Time now = manager_.loop().clock().now();
    Pods& pods = pods_[std::string(api::uid_of(set.get_object()))];
    const Count wanted = count_at(set, {"spec", "replicas"}, 1);
    pods.ready = std::min(pods.ready, wanted);
    if (pods.ready < wanted && !never_ready(set)) {
      if (pods.wanted != wanted) pods.due = now + ready_after;
      if (now >= pods.due) pods.ready = std::min(wanted, at_most);
    }
    pods.wanted = wanted;
    SLIPWAY_CO_TRY(co_await write(key, set, pods));
    if (pods.ready < wanted && now < pods.due) co_return control::Outcome{.again = pods.due - now};
    co_return control::Outcome{};
  }

 private:
  struct Pods {
    Count wanted = 0, ready = 0;
    Time due = {};
  };
  slipway::Task<Result<>> write(store::Key key, const json::Value& set, Pods pods) {
    const std::int64_t generation = api::generation_of(set.get_object());
    if (count_at(set, {"status", "replicas"}) == pods.wanted &&
        count_at(set, {"status", "availableReplicas"}) == pods.ready &&
        number_at(set, {"status", "observedGeneration"}) == generation)
      co_return Result<>();
    json::Object status{{"replicas", pods.wanted},
                        {"readyReplicas", pods.ready},
                        {"availableReplicas", pods.ready},
                        {"fullyLabeledReplicas", pods.wanted},
                        {"observedGeneration", generation}};
    auto done = co_await manager_.store().patch(
        kReplicaSets, key,
        {.type = store::PatchType::kMerge, .body = json::Object{{"status", std::move(status)}}},
        {.subresource = "status"});
    if (!done && done.error().code != ErrorCode::kNotFound)
      co_return std::unexpected(std::move(done).error());
    co_return Result<>();
  }

  control::Manager& manager_;
  std::map<std::string, Pods> pods_;
};

// A run or an experiment is Running at once, and after a while has the phase that `verdict` says,
// or Successful when it was told to end.
class VerdictPlayer final : public control::Reconciler {
 public:
  VerdictPlayer(control::Manager& manager, api::Gvr kind)
      : manager_(manager), kind_(std::move(kind)) {}
  control::ControllerOptions options() const {
    return {.name = "verdicts " + kind_.resource, .kind = kind_};
  }

  Duration takes = std::chrono::seconds(20);
  std::function<std::string(const std::string& name)> verdict = [](const std::string&) {
    return "Successful";
  };
  json::Object running_status = {};  // beside the phase

  slipway::Task<Result<control::Outcome>> reconcile(store::Key key) override {
    auto item = co_await manager_.store().get(kind_, key);
    if (!item) co_return control::Outcome{};
    const json::Value object = *store::decode(*item);
    const std::string phase(json::string_at(object, {"status", "phase"}));
    if (phase != "" && phase != "Running") co_return control::Outcome{};
    const Time now = manager_.loop().clock().now();
    const Time due = began_.try_emplace(key.name, now).first->second + takes;
    const json::Value* ends = json::at(object, {"spec", "terminate"});
    const bool is_told = ends && ends->is_bool() && ends->get_bool();
    const std::string next = is_told ? "Successful" : now >= due ? verdict(key.name) : "Running";
    if (next != phase) {
      json::Object status = running_status;
      status["phase"] = next;
      if (next == "Failed") status["message"] = "too many errors";
      auto done = co_await manager_.store().patch(
          kind_, key,
          {.type = store::PatchType::kMerge, .body = json::Object{{"status", std::move(status)}}},
          {});
      if (!done) co_return std::unexpected(std::move(done).error());
    }
    if (next == "Running" && now < due) co_return control::Outcome{.again = due - now};
    co_return control::Outcome{};
  }

 private:
  control::Manager& manager_;
  api::Gvr kind_;
  std::map<std::string, Time> began_;
};

}  // namespace slipway::rollout
