#include "runtime/workloads/jobs/job.h"

#include <algorithm>

#include "api/rules/members.h"
#include "runtime/workloads/conditions.h"
#include "runtime/workloads/pod_writer.h"
#include "runtime/workloads/removal_order.h"

namespace slipway::runtime {

namespace {

// A Pod on its way out has failed, unless the Job waits to see how it ends.
bool has_failed(const JobView& job, const PodView& pod) {
  if (pod.phase == PodPhase::kFailed) return true;
  return !job.replaces_failed_only && pod.deleting && pod.phase != PodPhase::kSucceeded;
}

bool has_valid_index(const JobView& job, const PodView& pod) {
  return !job.indexed || (pod.index >= 0 && pod.index < job.completions.value_or(0));
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

std::vector<std::string> uncounted_in(const json::Object& status, std::string_view list) {
  const json::Object* pods = api::object_in(status, "uncountedTerminatedPods");
  return pods ? api::texts_in(*pods, list) : std::vector<std::string>();
}

// What was written as ended and has lost its finalizer, or is gone, is counted now.
void settle(const std::vector<JobPod>& pods, std::vector<std::string>& uncounted,
            std::int64_t& counter) {
  std::erase_if(uncounted, [&](const std::string& uid) {
    const bool held = std::ranges::any_of(
        pods, [&](const JobPod& one) { return one.pod->uid == uid && one.pod->tracked; });
    if (!held) ++counter;
    return !held;
  });
}

void take_note(const JobView& job, const JobPod& one, bool failing, JobLook& look) {
  const PodView& pod = *one.pod;
  const bool known =
      contains(look.uncounted_succeeded, pod.uid) || contains(look.uncounted_failed, pod.uid);
  look.ended.push_back(&pod);
  if (known) return;
  if (pod.phase == PodPhase::kSucceeded) {
    if (!job.indexed)
      look.uncounted_succeeded.push_back(pod.uid);
    else if (has_valid_index(job, pod))
      look.done_indexes.insert(pod.index);
  } else if ((failing || one.answer.counts) && has_valid_index(job, pod)) {
    look.uncounted_failed.push_back(pod.uid);
  }
}

// In a row since the last success, as far as their Pods are still there.
void count_failures(const JobView& job, const std::vector<JobPod>& pods, JobLook& look) {
  Time last_success = {};
  for (const JobPod& one : pods)
    if (one.pod->phase == PodPhase::kSucceeded)
      last_success = std::max(last_success, one.pod->finished);
  for (const JobPod& one : pods) {
    if (!has_failed(job, *one.pod) || one.pod->finished <= last_success) continue;
    ++look.failures;
    look.last_failure = std::max(look.last_failure, one.pod->finished);
  }
}

bool restarted_too_often(const JobView& job, const std::vector<JobPod>& pods) {
  if (!job.restarts_in_place) return false;
  std::int64_t restarts = 0;
  for (const JobPod& one : pods)
    if (one.pod->phase == PodPhase::kRunning || one.pod->phase == PodPhase::kPending)
      restarts += one.pod->all_restarts;
  return job.backoff_limit == 0 ? restarts > 0 : restarts >= job.backoff_limit;
}

std::optional<JobEnd> end_so_far(const JobView& job) {
  for (const std::string_view type : {"SuccessCriteriaMet", "FailureTarget"}) {
    if (!has_condition(job.status, type, "True")) continue;
    const json::Object& condition = *condition_in(job.status, type);
    return JobEnd{.success = type == "SuccessCriteriaMet",
                  .reason = std::string(api::text_in(condition, "reason")),
                  .message = std::string(api::text_in(condition, "message"))};
  }
  return std::nullopt;
}

std::optional<JobEnd> decide_end(const JobView& job, const std::vector<JobPod>& pods,
                                 const JobLook& look, Time now) {
  if (auto before = end_so_far(job)) return before;
  for (const JobPod& one : pods)
    if (!one.answer.fail_job.empty())
      return JobEnd{.reason = "PodFailurePolicy", .message = one.answer.fail_job};
  const auto failed = look.failed + static_cast<std::int64_t>(look.uncounted_failed.size());
  if (failed > job.backoff_limit || restarted_too_often(job, pods))
    return JobEnd{.reason = "BackoffLimitExceeded",
                  .message = "Job has reached the specified backoff limit"};
  const auto start = job.start_time();
  if (job.deadline && start && !job.suspended && now - *start >= *job.deadline)
    return JobEnd{.reason = "DeadlineExceeded",
                  .message = "Job was active longer than specified deadline"};
  const auto succeeded =
      look.succeeded + static_cast<std::int64_t>(look.uncounted_succeeded.size());
  const bool enough = job.completions ? succeeded >= *job.completions : succeeded > 0;
  if (enough && look.active.empty())
    return JobEnd{.success = true,
                  .reason = "CompletionsReached",
                  .message = "Reached expected number of succeeded pods"};
  return std::nullopt;
}

std::int64_t wanted(const JobView& job, const JobLook& look) {
  const auto succeeded =
      look.succeeded + static_cast<std::int64_t>(look.uncounted_succeeded.size());
  if (!job.completions)
    return succeeded > 0 ? static_cast<std::int64_t>(look.active.size()) : job.parallelism;
  return std::clamp<std::int64_t>(*job.completions - succeeded, 0, job.parallelism);
}

// Two for one index, or one for none, come before those that are merely too many.
std::vector<const PodView*> too_many(const JobView& job, const JobLook& look, std::size_t count,
                                     Time now) {
  std::vector<const PodView*> left = look.active;
  std::vector<const PodView*> chosen;
  if (job.indexed) {
    std::set<std::int64_t> seen;
    // Those missed most stay.
    auto order = least_missed(left, left.size(), now);
    left.clear();
    for (auto pod = order.rbegin(); pod != order.rend(); ++pod) {
      const bool stays = has_valid_index(job, **pod) &&
                         !look.done_indexes.contains((*pod)->index) &&
                         seen.insert((*pod)->index).second;
      (stays ? left : chosen).push_back(*pod);
    }
  }
  if (chosen.size() < count) {
    const auto more = least_missed(std::move(left), count - chosen.size(), now);
    chosen.insert(chosen.end(), more.begin(), more.end());
  }
  chosen.resize(std::min<std::size_t>(chosen.size(), kMaxPodsAtOnce));
  return chosen;
}

std::vector<std::int64_t> pending_indexes(const JobView& job, const JobLook& look,
                                          std::size_t count) {
  std::set<std::int64_t> taken = look.done_indexes;
  for (const PodView* pod : look.active) taken.insert(pod->index);
  std::vector<std::int64_t> indexes;
  for (std::int64_t i = 0; i < job.completions.value_or(0) && indexes.size() < count; ++i)
    if (!taken.contains(i)) indexes.push_back(i);
  return indexes;
}

Duration backoff_left(const JobLook& look, Time now) {
  if (look.failures == 0) return Duration::zero();
  Duration wait = kFirstPodBackoff;
  for (std::int64_t i = 1; i < look.failures && wait < kMostPodBackoff; ++i) wait *= 2;
  return std::max<Duration>(std::min<Duration>(wait, kMostPodBackoff) - (now - look.last_failure),
                            Duration::zero());
}

}  // namespace

JobLook look_at_job(const JobView& job, const std::vector<JobPod>& pods, Time now) {
  JobLook look{.succeeded = api::number_in<std::int64_t>(job.status, "succeeded").value_or(0),
               .failed = api::number_in<std::int64_t>(job.status, "failed").value_or(0),
               .uncounted_succeeded = uncounted_in(job.status, "succeeded"),
               .uncounted_failed = uncounted_in(job.status, "failed"),
               .done_indexes = read_indexes(api::text_in(job.status, "completedIndexes"))};
  settle(pods, look.uncounted_succeeded, look.succeeded);
  settle(pods, look.uncounted_failed, look.failed);
  const auto before = end_so_far(job);
  const bool failing = before && !before->success;
  look.all_counted = true;
  for (const JobPod& one : pods) {
    if (one.pod->is_active()) look.active.push_back(one.pod);
    if (one.pod->is_terminating()) ++look.terminating;
    if (!one.pod->tracked) continue;
    look.all_counted = false;
    const bool over = one.pod->phase == PodPhase::kSucceeded || has_failed(job, *one.pod) ||
                      (before && !one.pod->is_active());
    const bool full =
        look.uncounted_succeeded.size() + look.uncounted_failed.size() >= kMaxUncounted;
    if (job.claimant.deleting || (over && !full)) take_note(job, one, failing, look);
  }
  if (job.indexed) look.succeeded = static_cast<std::int64_t>(look.done_indexes.size());
  look.all_counted =
      look.all_counted && look.uncounted_succeeded.empty() && look.uncounted_failed.empty();
  count_failures(job, pods, look);
  look.end = decide_end(job, pods, look, now);
  return look;
}

JobActions decide_job(const JobView& job, const JobLook& look, Time now) {
  JobActions actions;
  if (job.claimant.deleting) return actions;
  if (look.end) {
    actions.remove = look.active;
    actions.remove.resize(std::min<std::size_t>(actions.remove.size(), kMaxPodsAtOnce));
    return actions;
  }
  if (const auto start = job.start_time(); job.deadline && start && !job.suspended)
    actions.again = *start + *job.deadline - now;
  const auto active = static_cast<std::int64_t>(look.active.size());
  const std::int64_t want = job.suspended ? 0 : wanted(job, look);
  actions.uncounted = true;
  actions.remove =
      too_many(job, look, static_cast<std::size_t>(std::max<std::int64_t>(active - want, 0)), now);
  if (!actions.remove.empty()) return actions;
  const std::int64_t missing = want - active - (job.replaces_failed_only ? look.terminating : 0);
  if (missing <= 0) return actions;
  if (const Duration wait = backoff_left(look, now); wait > Duration::zero()) {
    actions.again = std::min(actions.again.value_or(wait), wait);
    return actions;
  }
  actions.create = std::min<std::int64_t>(missing, kMaxPodsAtOnce);
  if (job.indexed) {
    actions.indexes = pending_indexes(job, look, static_cast<std::size_t>(actions.create));
    actions.create = static_cast<std::int64_t>(actions.indexes.size());
  }
  return actions;
}

}  // namespace slipway::runtime
