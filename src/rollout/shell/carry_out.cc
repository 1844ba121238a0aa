#include "rollout/shell/carry_out.h"

#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "api/schema/codec.h"
#include "rollout/shell/route_traffic.h"
#include "store/decode.h"

namespace slipway::rollout {

namespace {

using slipway::Task;

void note(Written& written, const api::Gvr& kind, store::Version version) {
  written[kind] = std::max(written[kind], version);
}

json::Object as_patch(const TextChanges& changes) {
  json::Object patch;
  for (const auto& [key, value] : changes) patch[key] = value ? json::Value(*value) : nullptr;
  return patch;
}

const api::Gvr& kind_of(ChildKind kind) {
  return kind == ChildKind::kRun ? kAnalysisRuns : kExperiments;
}

// What has gone needs no change any more. What has become another object of the name is told from
// what somebody else wrote first by the next look alone.
bool is_moot(const Error& error) { return error.code == ErrorCode::kNotFound; }

Task<Result<>> patch(store::Store& store, api::Gvr kind, store::Key key, json::Object body,
                     Written& written, store::PatchType type = store::PatchType::kMerge) {
  auto done = co_await store.patch(kind, std::move(key), {.type = type, .body = std::move(body)},
                                   {.manager = std::string(argo::kEventSource)});
  if (!done) co_return std::unexpected(std::move(done).error());
  note(written, kind, done->version);
  co_return Result<>();
}

Task<Result<>> remove(store::Store& store, api::Gvr kind, store::Key key, std::string uid) {
  auto done = co_await store.remove(
      kind, std::move(key),
      {.propagation = store::Propagation::kBackground, .if_uid = std::move(uid)});
  if (!done && !is_moot(done.error())) co_return std::unexpected(std::move(done).error());
  co_return Result<>();
}

}  // namespace

Task<Result<>> release_service(store::Store& store, store::Key key, store::Version version,
                               Written& written) {
  json::Object body{
      {"metadata", json::Object{{"resourceVersion", std::to_string(version)},
                                {"annotations", json::Object{{argo::kManagedBy, nullptr}}}}},
      {"spec", json::Object{{"selector", json::Object{{argo::kHashLabel, nullptr}}}}}};
  auto done = co_await patch(store, kServices, std::move(key), std::move(body), written);
  // Whoever has changed it brings its Rollout up again.
  if (!done && !is_moot(done.error()) && done.error().code != ErrorCode::kConflict) co_return done;
  co_return Result<>();
}

namespace {

struct Hands {
  store::Store& store;
  const Situation& seen;
  Written& written;

  store::Key key(const std::string& name) const { return {seen.ns(), name}; }

  Task<Result<>> operator()(ChangeSet change) const {
    json::Object metadata{{"uid", change.uid}};
    if (!change.annotations.empty()) metadata["annotations"] = as_patch(change.annotations);
    json::Object spec;
    if (change.replicas) spec["replicas"] = *change.replicas;
    if (change.min_ready_seconds) spec["minReadySeconds"] = *change.min_ready_seconds;
    if (!change.pod_template.is_null()) spec["template"] = std::move(change.pod_template);
    json::Object body{{"metadata", std::move(metadata)}};
    if (!spec.empty()) body["spec"] = std::move(spec);
    return patch(store, kReplicaSets, key(change.name), std::move(body), written);
  }
  Task<Result<>> operator()(RemoveSet set) const {
    return remove(store, kReplicaSets, key(set.name), set.uid);
  }
  Task<Result<>> operator()(SwitchService change) const {
    json::Object body{
        {"spec", json::Object{{"selector", json::Object{{argo::kHashLabel, change.hash}}}}}};
    if (change.claims)
      body["metadata"] =
          json::Object{{"annotations", json::Object{{argo::kManagedBy, seen.name()}}}};
    return patch(store, kServices, key(change.name), std::move(body), written);
  }
  Task<Result<>> operator()(ReleaseService change) const {
    return release_service(store, key(change.name), change.version, written);
  }
  Task<Result<>> operator()(EndChild child) const {
    json::Object metadata{{"uid", child.uid},
                          {"annotations", json::Object{{argo::kDropped, "true"}}}};
    json::Object body{{"metadata", std::move(metadata)},
                      {"spec", json::Object{{"terminate", true}}}};
    auto done =
        co_await patch(store, kind_of(child.kind), key(child.name), std::move(body), written);
    if (!done && !is_moot(done.error())) co_return done;
    co_return Result<>();
  }
  Task<Result<>> operator()(RemoveChild child) const {
    return remove(store, kind_of(child.kind), key(child.name), child.uid);
  }
  Task<Result<>> operator()(RouteTraffic traffic) const {
    return route_traffic(store, seen, std::move(traffic));
  }
  Task<Result<>> operator()(ChangePod pod) const {
    json::Object metadata{{"uid", pod.uid}};
    if (!pod.labels.empty()) metadata["labels"] = as_patch(pod.labels);
    if (!pod.annotations.empty()) metadata["annotations"] = as_patch(pod.annotations);
    Written pods;  // they are listed, not cached
    auto done = co_await patch(store, kPods, key(pod.name),
                               json::Object{{"metadata", std::move(metadata)}}, pods);
    if (!done && !is_moot(done.error())) co_return done;
    co_return Result<>();
  }
  Task<Result<>> operator()(EvictPod pod) const {
    return remove(store, kPods, key(pod.name), pod.uid);
  }
  Task<Result<>> operator()(ScaleWorkload scale) const {
    const auto& reference = seen.rollout.spec.workload_ref;
    if (!reference || reference->kind != "Deployment") co_return Result<>();
    auto item = co_await store.get(kDeployments, key(reference->name));
    if (!item) co_return std::unexpected(std::move(item).error());
    auto document = store::decode(*item);
    if (!document) co_return std::unexpected(std::move(document).error());
    const json::Value value = std::move(*document);
    const json::Value* replicas = json::at(value, {"spec", "replicas"});
    if (replicas && replicas->is_int64() && replicas->get_int64() == scale.replicas)
      co_return Result<>();
    co_return co_await patch(store, kDeployments, key(reference->name),
                             json::Object{{"spec", json::Object{{"replicas", scale.replicas}}}},
                             written);
  }
  Task<Result<>> operator()(ChangeRollout change) const {
    const auto ours = written.find(kRollouts);
    const store::Version version =
        std::max(api::version_of(seen.document.get_object()),
                 ours == written.end() ? store::Version(0) : ours->second);
    json::Object metadata{{"resourceVersion", std::to_string(version)}};
    if (!change.annotations.empty()) metadata["annotations"] = as_patch(change.annotations);
    json::Object body{{"metadata", std::move(metadata)}};
    if (change.replicas) body["spec"] = json::Object{{"replicas", *change.replicas}};
    return patch(store, kRollouts, key(seen.name()), std::move(body), written);
  }
};

json::Value status_document(const Situation& seen, const argo::RolloutStatus& status) {
  const json::Value* now = json::at(seen.document, {"status"});
  json::Object document = now && now->is_object() ? now->get_object() : json::Object{};
  api::update_into(document, status);
  return document;
}

}  // namespace

Task<Result<>> carry_out(store::Store& store, const Situation& seen, Action action,
                         Written& written) {
  const Hands hands{store, seen, written};
  co_return co_await std::visit([&hands](auto& what) { return hands(std::move(what)); }, action);
}

bool is_same_status(const Situation& seen, const argo::RolloutStatus& status) {
  const json::Value* now = json::at(seen.document, {"status"});
  return json::same(status_document(seen, status), now ? *now : json::Value(json::Object{}));
}

Task<Result<>> write_status(store::Store& store, const Situation& seen, argo::RolloutStatus status,
                            Written& written) {
  const auto ours = written.find(kRollouts);
  const store::Version version = std::max(api::version_of(seen.document.get_object()),
                                          ours == written.end() ? store::Version(0) : ours->second);
  json::Object unchanged{
      {"op", "replace"}, {"path", "/metadata/resourceVersion"}, {"value", std::to_string(version)}};
  json::Object add{{"op", "add"}, {"path", "/status"}, {"value", status_document(seen, status)}};
  auto done = co_await store.patch(
      kRollouts, {seen.ns(), seen.name()},
      {.type = store::PatchType::kJson, .body = json::Array{std::move(unchanged), std::move(add)}},
      {.manager = std::string(argo::kEventSource), .subresource = "status"});
  if (!done) co_return std::unexpected(std::move(done).error());
  note(written, kRollouts, done->version);
  co_return Result<>();
}

}  // namespace slipway::rollout
