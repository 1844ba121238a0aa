#include "runtime/workloads/replica_set.h"

#include <algorithm>

#include "api/object.h"
#include "api/rules/members.h"
#include "runtime/workloads/conditions.h"
#include "runtime/workloads/pod_writer.h"
#include "runtime/workloads/removal_order.h"

namespace slipway::runtime {

namespace {

constexpr std::string_view kFailure = "ReplicaFailure";

bool has_all(const api::Labels& labels, const api::Labels& wanted) {
  return std::ranges::includes(labels, wanted);
}

}  // namespace

Result<ReplicaSetView> view_replica_set(const json::Object& replica_set) {
  const json::Object* spec = api::object_in(replica_set, "spec");
  if (!spec) return fail(ErrorCode::kInvalid, "a ReplicaSet without spec");
  auto claimant = view_claimant(replica_set);
  if (!claimant) return std::unexpected(std::move(claimant).error());
  ReplicaSetView view{.claimant = std::move(*claimant),
                      .replicas = api::number_in<std::int64_t>(*spec, "replicas").value_or(1),
                      .generation = api::generation_of(replica_set),
                      .min_ready = std::chrono::seconds(
                          api::number_in<std::int32_t>(*spec, "minReadySeconds").value_or(0))};
  if (const json::Object* pod_template = api::object_in(*spec, "template"))
    view.template_labels = api::labels_of(*pod_template);
  return view;
}

ReplicaPlan decide_replicas(const ReplicaSetView& set, const std::vector<const PodView*>& active,
                            Time now) {
  if (set.claimant.deleting) return {};
  const std::int64_t missing = set.replicas - static_cast<std::int64_t>(active.size());
  if (missing >= 0)
    return {.create = static_cast<int>(std::min<std::int64_t>(missing, kMaxPodsAtOnce))};
  return {
      .remove = least_missed(
          active, static_cast<std::size_t>(std::min<std::int64_t>(-missing, kMaxPodsAtOnce)), now)};
}

ReplicaCounts count_replicas(const ReplicaSetView& set, const std::vector<const PodView*>& active,
                             Time now) {
  ReplicaCounts counts{.replicas = static_cast<int>(active.size())};
  for (const PodView* pod : active) {
    if (has_all(pod->labels, set.template_labels)) ++counts.fully_labeled;
    if (!pod->ready) continue;
    ++counts.ready;
    if (pod->is_available(set.min_ready, now)) {
      ++counts.available;
    } else if (pod->ready_changed != Time()) {
      const Duration left = pod->ready_changed + set.min_ready - now;
      counts.again = std::min(counts.again.value_or(left), left);
    }
  }
  return counts;
}

json::Object decide_replica_set_status(const json::Object& replica_set, const ReplicaSetView& set,
                                       const ReplicaCounts& counts,
                                       const std::optional<Error>& failure, Time now) {
  const json::Object* before = api::object_in(replica_set, "status");
  json::Object status = before ? *before : json::Object();
  status["replicas"] = counts.replicas;
  set_count(status, "fullyLabeledReplicas", counts.fully_labeled);
  set_count(status, "readyReplicas", counts.ready);
  set_count(status, "availableReplicas", counts.available);
  set_count(status, "observedGeneration", set.generation);
  if (!failure) {
    remove_condition(status, kFailure);
  } else if (!condition_in(status, kFailure)) {
    const bool creating = counts.replicas < set.replicas;
    put_condition(status,
                  {.type = kFailure,
                   .status = "True",
                   .reason = creating ? "FailedCreate" : "FailedDelete",
                   .message = failure->text()},
                  now);
  }
  return status;
}

}  // namespace slipway::runtime
