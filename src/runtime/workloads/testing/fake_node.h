#pragma once

#include <functional>
#include <string>

#include "api/object.h"
#include "control/manager.h"
#include "runtime/workloads/pod_view.h"
#include "store/decode.h"

namespace slipway::runtime {

// A node that runs nothing and says it does: Pods become ready after a while, and go when they are
// deleted. For tests of whatever makes Pods; works on any store.
class FakeNode final : public control::Reconciler {
 public:
  enum class Fate { kReady, kPending, kNeverReady, kSucceeds, kFails };
  struct Options {
    Duration start = std::chrono::milliseconds(100);         // until a Pod is ready, or over
    Duration stop = std::chrono::milliseconds(50);           // until a deleted one has gone
    std::function<Fate(const json::Object& pod)> fate = {};  // none: kReady
    bool binds = false;  // Pods that say no node, so that they wait for this one when deleted
  };

  FakeNode(control::Manager& manager, Options options)
      : manager_(manager), options_(std::move(options)) {}
  explicit FakeNode(control::Manager& manager) : FakeNode(manager, Options{}) {}
  static control::ControllerOptions options() { return {.name = "fake-node", .kind = kPods}; }

  Task<Result<control::Outcome>> reconcile(store::Key key) override {
    auto item = co_await manager_.store().get(kPods, key);
    if (!item && item.error().code == ErrorCode::kNotFound) co_return control::Outcome{};
    if (!item) co_return std::unexpected(std::move(item).error());
    auto pod = store::decode(*item);
    if (!pod) co_return std::unexpected(std::move(pod).error());
    const PodView view = view_pod(*item, *pod);
    const Time now = manager_.loop().clock().now();
    if (view.deleting) co_return co_await end(key, view, now);
    if (options_.binds && json::string_at(*pod, {"spec", "nodeName"}).empty())
      co_return co_await bind(key);
    if (view.is_over() || view.ready) co_return control::Outcome{};
    const Fate fate = options_.fate ? options_.fate(*pod) : Fate::kReady;
    if (fate == Fate::kPending) co_return control::Outcome{};
    if (now < view.created + options_.start)
      co_return control::Outcome{.again = view.created + options_.start - now};
    co_return co_await tell(key, std::move(*pod), fate, now);
  }

 private:
  Task<Result<control::Outcome>> end(store::Key key, PodView view, Time now) {
    if (now < view.finished + options_.stop)
      co_return control::Outcome{.again = view.finished + options_.stop - now};
    auto gone =
        co_await manager_.store().remove(kPods, key, {.if_uid = view.uid, .grace_seconds = 0});
    if (!gone && gone.error().code != ErrorCode::kNotFound)
      co_return std::unexpected(std::move(gone).error());
    co_return control::Outcome{};
  }

  Task<Result<control::Outcome>> bind(store::Key key) {
    json::Object target{{"apiVersion", "v1"}, {"kind", "Node"}, {"name", "slipway"}};
    json::Object binding{{"apiVersion", "v1"},
                         {"kind", "Binding"},
                         {"metadata", json::Object{{"name", key.name}}},
                         {"target", std::move(target)}};
    auto bound = co_await manager_.store().update(kPods, key, std::move(binding),
                                                  {.subresource = "binding"});
    if (!bound && bound.error().code != ErrorCode::kNotFound)
      co_return std::unexpected(std::move(bound).error());
    co_return control::Outcome{};  // its change brings it up again
  }

  Task<Result<control::Outcome>> tell(store::Key key, json::Object pod, Fate fate, Time now) {
    json::Value document = std::move(pod);
    json::Object& status = json::object_at(document, {"status"});
    const bool ready = fate == Fate::kReady;
    if (fate == Fate::kNeverReady && status["phase"] == "Running") co_return control::Outcome{};
    status["phase"] = fate == Fate::kSucceeds ? "Succeeded"
                      : fate == Fate::kFails  ? "Failed"
                                              : "Running";
    status["podIP"] = "127.64.0.1";
    status["podIPs"] = json::Array{json::Object{{"ip", "127.64.0.1"}}};
    status["conditions"] = json::Array{json::Object{{"type", "Ready"},
                                                    {"status", ready ? "True" : "False"},
                                                    {"lastTransitionTime", format_time(now)}}};
    auto told = co_await manager_.store().update(kPods, key, std::move(document.get_object()),
                                                 {.subresource = "status"});
    if (!told) co_return std::unexpected(std::move(told).error());
    co_return control::Outcome{};
  }

  control::Manager& manager_;
  Options options_;
};

}  // namespace slipway::runtime
