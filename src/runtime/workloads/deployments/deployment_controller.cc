#include "runtime/workloads/deployments/deployment_controller.h"

#include <fmt/format.h>

#include "api/object.h"
#include "runtime/workloads/deployments/deployment_status.h"
#include "runtime/workloads/replica_set_controller.h"
#include "store/decode.h"
#include "store/key_of.h"

namespace slipway::runtime {

namespace {

using control::EventKind;
using control::Outcome;

}  // namespace

DeploymentReconciler::DeploymentReconciler(control::Manager& manager, control::Recorder& recorder,
                                           PodTable& pods)
    : manager_(manager),
      recorder_(recorder),
      pods_(pods),
      own_(manager, kDeployments),
      own_sets_(manager, kReplicaSets) {}

control::ControllerOptions DeploymentReconciler::options() {
  return {.name = "deployment",
          .kind = kDeployments,
          .owns = {kReplicaSets},
          .needs = {kPods},
          .subscribe = [this](control::BringUp by) { subscribe(std::move(by)); }};
}

void DeploymentReconciler::subscribe(control::BringUp bring_up) {
  selectors_.follow(manager_.cache(kDeployments));
  manager_.cache(kReplicaSets)
      .on_change([this, bring_up](const store::Item*, const store::Item* after) {
        if (!after) return;
        const auto document = store::decode(*after);
        if (!document || api::controller_of(*document)) return;
        for (const store::Key& key : selectors_.selecting(after->key.ns, api::labels_of(*document)))
          bring_up(key);
      });
  // One that recreates waits until the last of its old Pods has gone.
  pods_.on_change([this, bring_up](const PodView* before, const PodView* after) {
    if (before && !before->is_over() && (!after || after->is_over()))
      bring_up_owner(bring_up, *before);
  });
}

void DeploymentReconciler::bring_up_owner(const control::BringUp& bring_up,
                                          const PodView& pod) const {
  if (pod.controller_kind != "ReplicaSet") return;
  const store::Item* set = manager_.cache(kReplicaSets).get({pod.key.ns, pod.controller_name});
  if (!set) return;
  const auto document = store::decode(*set);
  if (!document) return;
  if (const auto owner = api::controller_of(*document); owner && owner->kind == "Deployment")
    bring_up({pod.key.ns, owner->name});
}

DeploymentReconciler::Family DeploymentReconciler::family_of(const DeploymentView& view) const {
  Family family;
  control::Cache& sets = manager_.cache(kReplicaSets);
  for (const store::Item* item : sets.owned_by(view.claimant.uid)) {
    const auto document = store::decode(*item);
    if (!document) continue;
    const auto owner = api::controller_of(*document);
    if (!owner || owner->uid != view.claimant.uid) continue;
    SetView set = view_set(*document, view);
    for (const PodView* pod : pods_.controlled_by(set.uid))
      set.has_running_pods = set.has_running_pods || !pod->is_over();
    const bool matches = view.claimant.selector.matches(api::labels_of(*document));
    if (!matches && view.claimant.deleting) continue;
    (matches ? family.owned : family.release).push_back(std::move(set));
  }
  if (view.claimant.deleting) return family;
  for (const store::Item* item : sets.list(view.key.ns, view.claimant.selector)) {
    const auto document = store::decode(*item);
    if (document && !api::controller_of(*document) && !api::is_deleting(*document))
      family.adopt.push_back(view_set(*document, view));
  }
  return family;
}

Task<Result<Outcome>> DeploymentReconciler::reconcile(store::Key key) {
  SLIPWAY_CO_TRY(co_await own_.shown(key));
  SLIPWAY_CO_TRY(co_await own_sets_.shown(key));
  const store::Item* item = manager_.cache(kDeployments).get(key);
  if (!item) co_return Outcome{};
  auto document = store::decode(*item);
  if (!document) co_return std::unexpected(std::move(document).error());
  auto view = view_deployment(*document);
  if (!view) co_return std::unexpected(std::move(view).error());
  Family family = family_of(*view);
  if (!family.adopt.empty() || !family.release.empty()) {
    SLIPWAY_CO_TRY(co_await claim(std::move(*document), std::move(family)));
    co_return Outcome{.again = Duration::zero()};
  }

  std::vector<SetView>& sets = family.owned;
  std::map<std::string, std::int64_t> sizes;
  for (const SetView& set : sets) sizes[set.key.name] = set.replicas;
  DeploymentPlan plan = decide_deployment(*view, sets, manager_.loop().clock().now());
  if (plan.create) {
    auto created = co_await create_set(*document, *view, std::move(*plan.create));
    if (!created) co_return std::unexpected(std::move(created).error());
    if (!*created) co_return Outcome{.again = Duration::zero()};
  }
  for (SetChange& change : plan.change) {
    const SetView& set = sets[change.set];
    SLIPWAY_CO_TRY(co_await change_set(*document, set, std::move(change), sizes.at(set.key.name)));
  }
  for (const std::size_t i : plan.remove) {
    auto removed = co_await manager_.store().remove(
        kReplicaSets, sets[i].key, {.if_uid = sets[i].uid, .if_version = sets[i].version});
    if (removed)
      own_sets_.wrote(key, removed->item.version);
    else if (removed.error().code != ErrorCode::kNotFound)
      co_return std::unexpected(std::move(removed).error());
  }
  SLIPWAY_CO_TRY(co_await write_status(key, std::move(*document), std::move(plan.status),
                                       std::move(plan.revision)));
  co_return Outcome{.again = plan.again};
}

Task<Result<>> DeploymentReconciler::claim(json::Object deployment, Family family) {
  const store::Key key = store::key_of(deployment);
  for (const SetView& set : family.release)
    SLIPWAY_CO_TRY(
        co_await patch_set(key, set, {{"ownerReferences", released_by(deployment)}}, {}));
  if (family.adopt.empty()) co_return Result<>();
  SLIPWAY_CO_TRY(co_await may_adopt(manager_.store(), kDeployments, deployment));
  for (const SetView& set : family.adopt)
    SLIPWAY_CO_TRY(co_await patch_set(key, set, {{"ownerReferences", adopted_by(deployment)}}, {}));
  co_return Result<>();
}

Task<Result<bool>> DeploymentReconciler::create_set(json::Object deployment, DeploymentView view,
                                                    json::Object set) {
  const std::string name(api::name_of(set));
  const auto size = set.at("spec").at("replicas").to_number<std::int64_t>();
  auto made = co_await manager_.store().create(kReplicaSets, view.key.ns, std::move(set), {});
  if (made) {
    own_sets_.wrote(view.key, made->version);
    if (size > 0)
      recorder_.record(deployment, EventKind::kNormal, "ScalingReplicaSet",
                       fmt::format("Scaled up replica set {} from 0 to {}", name, size));
    co_return true;
  }
  Error error = std::move(made).error();
  own_sets_.failed(view.key, error);
  if (error.code == ErrorCode::kForbidden) co_return fail(std::move(error));
  if (error.code == ErrorCode::kAlreadyExists) {
    auto there = co_await manager_.store().get(kReplicaSets, {view.key.ns, name});
    if (!there) co_return std::unexpected(std::move(there).error());
    const auto document = store::decode(*there);
    if (!document) co_return std::unexpected(document.error());
    const auto owner = api::controller_of(*document);
    own_sets_.wrote(view.key, there->version);
    if (owner && owner->uid == view.claimant.uid && view_set(*document, view).current)
      co_return false;  // ours; the cache was behind
    SLIPWAY_CO_TRY(co_await count_collision(std::move(deployment), std::move(view)));
    co_return false;
  }
  const std::string message =
      fmt::format("Failed to create new replica set \"{}\": {}", name, error.text());
  recorder_.record(deployment, EventKind::kWarning, "ReplicaSetCreateError", message);
  if (view.deadline) {
    set_progressing(view.status, "False", "ReplicaSetCreateError", message,
                    manager_.loop().clock().now());
    SLIPWAY_CO_TRY(
        co_await write_status(view.key, std::move(deployment), std::move(view.status), {}));
  }
  co_return fail(std::move(error));
}

Task<Result<>> DeploymentReconciler::count_collision(json::Object deployment, DeploymentView view) {
  view.status["collisionCount"] = view.collisions + 1;
  return write_status(view.key, std::move(deployment), std::move(view.status), {});
}

Task<Result<>> DeploymentReconciler::change_set(json::Object deployment, SetView set,
                                                SetChange change, std::int64_t before) {
  json::Object metadata, spec;
  if (!change.annotations.empty()) {
    json::Object annotations;
    for (const auto& [name, value] : change.annotations) annotations[name] = value;
    metadata["annotations"] = std::move(annotations);
  }
  if (change.replicas) spec["replicas"] = *change.replicas;
  if (change.min_ready_seconds) spec["minReadySeconds"] = *change.min_ready_seconds;
  SLIPWAY_CO_TRY(
      co_await patch_set(store::key_of(deployment), set, std::move(metadata), std::move(spec)));
  if (change.replicas)
    recorder_.record(deployment, EventKind::kNormal, "ScalingReplicaSet",
                     fmt::format("Scaled {} replica set {} from {} to {}",
                                 *change.replicas > before ? "up" : "down", set.key.name, before,
                                 *change.replicas));
  co_return Result<>();
}

// Applies to the set as it was seen, or not at all.
Task<Result<>> DeploymentReconciler::patch_set(store::Key deployment, SetView set,
                                               json::Object metadata, json::Object spec) {
  metadata["uid"] = set.uid;
  metadata["resourceVersion"] = std::to_string(set.version);
  json::Object body{{"metadata", std::move(metadata)}};
  if (!spec.empty()) body["spec"] = std::move(spec);
  auto done = co_await manager_.store().patch(
      kReplicaSets, set.key, {.type = store::PatchType::kStrategicMerge, .body = std::move(body)},
      {});
  co_return own_sets_.note(deployment, done);
}

Task<Result<>> DeploymentReconciler::write_status(store::Key key, json::Object deployment,
                                                  json::Object status, std::string revision) {
  const json::Value* before = deployment.if_contains("status");
  if (before && json::same(*before, status) && revision.empty()) co_return Result<>();
  deployment["status"] = std::move(status);
  if (!revision.empty()) api::set_annotation(deployment, kRevision, revision);
  auto written = co_await manager_.store().update(kDeployments, key, std::move(deployment),
                                                  {.subresource = "status"});
  auto noted = own_.note(key, written);
  if (!noted && noted.error().code == ErrorCode::kNotFound) co_return Result<>();
  co_return noted;
}

}  // namespace slipway::runtime
