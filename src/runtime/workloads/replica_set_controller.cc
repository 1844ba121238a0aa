#include "runtime/workloads/replica_set_controller.h"

#include "store/decode.h"

namespace slipway::runtime {

namespace {

using control::Outcome;

constexpr std::string_view kKind = "ReplicaSet";

// Whether a change of a Pod can change what its ReplicaSet has to do or say.
bool matters(const PodView* before, const PodView* after) {
  if (!before || !after) return true;
  return before->is_active() != after->is_active() || before->ready != after->ready ||
         before->ready_changed != after->ready_changed || before->labels != after->labels ||
         before->controller_uid != after->controller_uid;
}

}  // namespace

ReplicaSetReconciler::ReplicaSetReconciler(control::Manager& manager, control::Recorder& recorder,
                                           PodTable& pods)
    : manager_(manager), pods_(pods), writer_(manager, recorder), own_(manager, kReplicaSets) {}

control::ControllerOptions ReplicaSetReconciler::options() {
  return {.name = "replicaset",
          .kind = kReplicaSets,
          .needs = {kPods},
          .subscribe = [this](control::BringUp by) { subscribe(std::move(by)); }};
}

void ReplicaSetReconciler::subscribe(control::BringUp bring_up) {
  selectors_.follow(manager_.cache(kReplicaSets));
  pods_.on_change([this, bring_up](const PodView* before, const PodView* after) {
    if (!matters(before, after)) return;
    for (const PodView* pod : {before, after})
      if (pod && pod->controller_kind == kKind) bring_up({pod->key.ns, pod->controller_name});
    if (after && after->controller_uid.empty() && after->is_active())
      for (const store::Key& key : selectors_.selecting(after->key.ns, after->labels))
        bring_up(key);
  });
}

ReplicaSetReconciler::Plan ReplicaSetReconciler::look(const store::Key& key,
                                                      const ReplicaSetView& set) const {
  auto pods = pods_.controlled_by(set.claimant.uid);
  const auto orphans = pods_.orphans(key.ns, set.claimant.selector);
  pods.insert(pods.end(), orphans.begin(), orphans.end());
  std::erase_if(pods, [](const PodView* pod) { return !pod->is_active(); });
  const Claims claims = decide_claims(set.claimant, pods);
  const Time now = manager_.loop().clock().now();
  const ReplicaPlan replicas = decide_replicas(set, claims.owned, now);
  return {.adopt = refs_to(claims.adopt),
          .release = refs_to(claims.release),
          .create = replicas.create,
          .remove = refs_to(replicas.remove),
          .counts = count_replicas(set, claims.owned, now)};
}

Task<Result<Outcome>> ReplicaSetReconciler::reconcile(store::Key key) {
  SLIPWAY_CO_TRY(co_await own_.shown(key));
  SLIPWAY_CO_TRY(co_await writer_.shown(key));
  const store::Item* item = manager_.cache(kReplicaSets).get(key);
  if (!item) co_return Outcome{};
  auto document = store::decode(*item);
  if (!document) co_return std::unexpected(std::move(document).error());
  auto set = view_replica_set(*document);
  if (!set) co_return std::unexpected(std::move(set).error());

  Plan plan = look(key, *set);
  if (!plan.adopt.empty() || !plan.release.empty()) {
    SLIPWAY_CO_TRY(co_await claim(std::move(*document), std::move(plan)));
    co_return Outcome{.again = Duration::zero()};  // with what is ours now
  }
  const ReplicaCounts counts = plan.counts;
  const std::optional<Error> failure = co_await manage(*document, std::move(plan));
  json::Object status =
      decide_replica_set_status(*document, *set, counts, failure, manager_.loop().clock().now());
  SLIPWAY_CO_TRY(co_await write_status(key, std::move(*document), std::move(status)));
  if (failure) co_return fail(*failure);
  co_return Outcome{.again = counts.again};
}

Task<Result<>> ReplicaSetReconciler::claim(json::Object replica_set, Plan plan) {
  SLIPWAY_CO_TRY(co_await writer_.release(replica_set, std::move(plan.release)));
  if (plan.adopt.empty()) co_return Result<>();
  SLIPWAY_CO_TRY(co_await may_adopt(manager_.store(), kReplicaSets, replica_set));
  co_return co_await writer_.adopt(std::move(replica_set), std::move(plan.adopt));
}

Task<std::optional<Error>> ReplicaSetReconciler::manage(json::Object replica_set, Plan plan) {
  PodWriter::Written written;
  if (!plan.remove.empty()) {
    written = co_await writer_.remove(std::move(replica_set), std::move(plan.remove));
  } else if (plan.create > 0) {
    const json::Object pod = pod_from_template(replica_set);
    written = co_await writer_.create(
        std::move(replica_set),
        std::vector<json::Object>(static_cast<std::size_t>(plan.create), pod));
  }
  co_return std::move(written.error);
}

Task<Result<>> ReplicaSetReconciler::write_status(store::Key key, json::Object replica_set,
                                                  json::Object status) {
  const json::Value* before = replica_set.if_contains("status");
  if (before && json::same(*before, status)) co_return Result<>();
  replica_set["status"] = std::move(status);
  auto written = co_await manager_.store().update(kReplicaSets, key, std::move(replica_set),
                                                  {.subresource = "status"});
  auto noted = own_.note(key, written);
  if (!noted && noted.error().code == ErrorCode::kNotFound) co_return Result<>();
  co_return noted;
}

}  // namespace slipway::runtime
