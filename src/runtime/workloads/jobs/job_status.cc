#include "runtime/workloads/jobs/job_status.h"

#include <algorithm>

#include "api/rules/members.h"
#include "runtime/workloads/conditions.h"

namespace slipway::runtime {

namespace {

constexpr std::string_view kProbe = "lastProbeTime";

json::Array texts(const std::vector<std::string>& list) {
  json::Array array;
  for (const std::string& text : list) array.emplace_back(text);
  return array;
}

void write_counts(const JobView& job, const JobLook& look, const JobEffect& effect,
                  json::Object& status) {
  const auto removed = static_cast<std::int64_t>(effect.removed.size());
  const auto ready = std::ranges::count_if(look.active, [&](const PodView* pod) {
    return pod->ready && std::ranges::find(effect.removed, pod) == effect.removed.end();
  });
  set_count(status, "active",
            static_cast<std::int64_t>(look.active.size()) + effect.created - removed);
  set_count(status, "succeeded", look.succeeded);
  set_count(status, "failed", look.failed);
  status["ready"] = ready;
  status["terminating"] = look.terminating + removed;
  if (job.indexed && !look.done_indexes.empty())
    status["completedIndexes"] = write_indexes(look.done_indexes);
  json::Object uncounted;
  if (!look.uncounted_succeeded.empty()) uncounted["succeeded"] = texts(look.uncounted_succeeded);
  if (!look.uncounted_failed.empty()) uncounted["failed"] = texts(look.uncounted_failed);
  status["uncountedTerminatedPods"] = std::move(uncounted);
}

void write_suspension(const JobView& job, JobVerdict& verdict, Time now) {
  json::Object& status = verdict.status;
  if (job.suspended && !has_condition(status, "Suspended", "True")) {
    put_condition(status,
                  {.type = "Suspended",
                   .status = "True",
                   .reason = "JobSuspended",
                   .message = "Job suspended"},
                  now, kProbe);
    verdict.events.push_back({.reason = "Suspended", .message = "Job suspended"});
  } else if (!job.suspended && has_condition(status, "Suspended", "True")) {
    put_condition(
        status,
        {.type = "Suspended", .status = "False", .reason = "JobResumed", .message = "Job resumed"},
        now, kProbe);
    verdict.events.push_back({.reason = "Resumed", .message = "Job resumed"});
    status["startTime"] = format_time(now);  // time spent suspended does not count
  }
}

void write_end(const JobLook& look, const JobEffect& effect, JobVerdict& verdict, Time now) {
  json::Object& status = verdict.status;
  const JobEnd& end = *look.end;
  if (effect.failed || effect.removed.size() != look.active.size()) return;
  put_condition(status,
                {.type = end.success ? "SuccessCriteriaMet" : "FailureTarget",
                 .status = "True",
                 .reason = end.reason,
                 .message = end.message},
                now, kProbe);
  if (!look.all_counted || look.terminating > 0 || !look.active.empty()) return;
  put_condition(status,
                {.type = end.success ? "Complete" : "Failed",
                 .status = "True",
                 .reason = end.reason,
                 .message = end.message},
                now, kProbe);
  if (end.success) {
    status["completionTime"] = format_time(now);
    verdict.events.push_back({.reason = "Completed", .message = "Job completed"});
  } else {
    verdict.events.push_back({.warning = true, .reason = end.reason, .message = end.message});
  }
}

}  // namespace

JobVerdict decide_job_status(const JobView& job, const JobLook& look, const JobEffect& effect,
                             Time now) {
  JobVerdict verdict{.status = job.status};
  if (!job.suspended && !job.start_time()) verdict.status["startTime"] = format_time(now);
  write_counts(job, look, effect, verdict.status);
  if (look.end)
    write_end(look, effect, verdict, now);
  else
    write_suspension(job, verdict, now);
  return verdict;
}

}  // namespace slipway::runtime
