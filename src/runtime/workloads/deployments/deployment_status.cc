#include "runtime/workloads/deployments/deployment_status.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/rules/members.h"
#include "runtime/workloads/conditions.h"

namespace slipway::runtime {

namespace {

constexpr std::string_view kProgressing = "Progressing";
constexpr std::string_view kAvailable = "Available";
constexpr std::string_view kReplicaFailure = "ReplicaFailure";
constexpr std::string_view kDone = "NewReplicaSetAvailable";
constexpr std::string_view kTimedOut = "ProgressDeadlineExceeded";
constexpr std::string_view kUpdateField = "lastUpdateTime";

std::int64_t count_in(const json::Object& status, std::string_view field) {
  return api::number_in<std::int64_t>(status, field).value_or(0);
}

std::string_view progress_reason(const json::Object& status) {
  const json::Object* condition = condition_in(status, kProgressing);
  return condition ? api::text_in(*condition, "reason") : std::string_view();
}

bool has_moved(const json::Object& before, const json::Object& now) {
  const auto old = [](const json::Object& status) {
    return count_in(status, "replicas") - count_in(status, "updatedReplicas");
  };
  return count_in(now, "updatedReplicas") > count_in(before, "updatedReplicas") ||
         old(now) < old(before) ||
         count_in(now, "readyReplicas") > count_in(before, "readyReplicas") ||
         count_in(now, "availableReplicas") > count_in(before, "availableReplicas");
}

std::optional<Time> last_progress(const json::Object& status) {
  const json::Object* condition = condition_in(status, kProgressing);
  if (!condition) return std::nullopt;
  const auto time = parse_time(api::text_in(*condition, kUpdateField));
  return time ? std::optional(*time) : std::nullopt;
}

bool is_late(const DeploymentView& deployment, const json::Object& status, Time now) {
  const std::string_view reason = progress_reason(status);
  if (reason == kDone) return false;
  if (reason == kTimedOut) return true;
  const auto since = last_progress(status);
  return since && *since + *deployment.deadline < now;
}

// Progress with the same reason as before is news all the same: when it was is what counts.
void note_progress(json::Object& status, std::string message, Time now) {
  std::string since = format_time(now);
  if (const json::Object* before = condition_in(status, kProgressing);
      before && api::text_in(*before, "status") == "True")
    since = since_of(*before, now);
  remove_condition(status, kProgressing);
  put_condition(
      status,
      {.type = kProgressing, .status = "True", .reason = "ReplicaSetUpdated", .message = message},
      now, kUpdateField);
  json::Array& all = status["conditions"].get_array();
  all.back().get_object()["lastTransitionTime"] = since;
}

// Of the new set before any other's.
const json::Object* failure_among(const std::vector<SetView>& sets) {
  const SetView* found = nullptr;
  for (const SetView& set : sets)
    if (set.failure && (!found || (set.current && !found->current))) found = &set;
  return found ? &*found->failure : nullptr;
}

void hand_on_failure(const std::vector<SetView>& sets, json::Object& status, Time now) {
  const json::Object* failure = failure_among(sets);
  if (!failure) return remove_condition(status, kReplicaFailure);
  put_condition(status,
                {.type = kReplicaFailure,
                 .status = api::text_in(*failure, "status"),
                 .reason = api::text_in(*failure, "reason"),
                 .message = api::text_in(*failure, "message")},
                now, kUpdateField);
}

}  // namespace

void set_progressing(json::Object& status, std::string_view value, std::string_view reason,
                     std::string message, Time now) {
  put_condition(status,
                {.type = kProgressing, .status = value, .reason = reason, .message = message}, now,
                kUpdateField);
}

json::Object count_deployment(const DeploymentView& deployment, const std::vector<SetView>& sets,
                              Time now) {
  std::int64_t actual = 0, updated = 0, ready = 0, available = 0, asked = 0;
  for (const SetView& set : sets) {
    actual += set.actual;
    ready += set.ready;
    available += set.available;
    asked += set.replicas;
  }
  if (const auto current = std::ranges::find(sets, true, &SetView::current); current != sets.end())
    updated = current->actual;
  json::Object status = deployment.status;
  set_count(status, "observedGeneration", deployment.generation);
  set_count(status, "replicas", actual);
  set_count(status, "updatedReplicas", updated);
  set_count(status, "readyReplicas", ready);
  set_count(status, "availableReplicas", available);
  set_count(status, "unavailableReplicas", std::max<std::int64_t>(asked - available, 0));
  const bool enough = available >= deployment.replicas - deployment.unavailable;
  put_condition(status,
                {.type = kAvailable,
                 .status = enough ? "True" : "False",
                 .reason = enough ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
                 .message = enough ? "Deployment has minimum availability."
                                   : "Deployment does not have minimum availability."},
                now, kUpdateField);
  return status;
}

bool is_complete(const DeploymentView& deployment, const json::Object& status) {
  return count_in(status, "updatedReplicas") == deployment.replicas &&
         count_in(status, "replicas") == deployment.replicas &&
         count_in(status, "availableReplicas") == deployment.replicas &&
         count_in(status, "observedGeneration") >= deployment.generation;
}

void judge_progress(const DeploymentView& deployment, const std::vector<SetView>& sets,
                    const std::string& name, json::Object& status, Time now) {
  const std::string subject = name.empty() ? fmt::format("Deployment \"{}\"", deployment.key.name)
                                           : fmt::format("ReplicaSet \"{}\"", name);
  const bool was_done = count_in(status, "replicas") == count_in(status, "updatedReplicas") &&
                        progress_reason(deployment.status) == kDone;
  if (!deployment.deadline) {
    remove_condition(status, kProgressing);
  } else if (!was_done) {
    if (is_complete(deployment, status))
      set_progressing(status, "True", kDone, subject + " has successfully progressed.", now);
    else if (has_moved(deployment.status, status))
      note_progress(status, subject + " is progressing.", now);
    else if (is_late(deployment, status, now))
      set_progressing(status, "False", kTimedOut, subject + " has timed out progressing.", now);
  }
  hand_on_failure(sets, status, now);
}

std::optional<Duration> until_deadline(const DeploymentView& deployment, const json::Object& status,
                                       Time now) {
  if (!deployment.deadline || deployment.paused || is_complete(deployment, status))
    return std::nullopt;
  const std::string_view reason = progress_reason(status);
  const auto since = last_progress(status);
  if (!since || reason == kTimedOut || reason == kDone) return std::nullopt;
  // A second more: times are written in whole ones.
  return std::max<Duration>(*since + *deployment.deadline - now, Duration::zero()) +
         std::chrono::seconds(1);
}

void judge_pause(const DeploymentView& deployment, json::Object& status, Time now) {
  if (!deployment.deadline) return;
  const std::string_view reason = progress_reason(status);
  if (reason == kTimedOut) return;
  const bool told = reason == "DeploymentPaused";
  if (deployment.paused && !told)
    set_progressing(status, "Unknown", "DeploymentPaused", "Deployment is paused", now);
  else if (!deployment.paused && told)
    set_progressing(status, "Unknown", "DeploymentResumed", "Deployment is resumed", now);
}

}  // namespace slipway::runtime
