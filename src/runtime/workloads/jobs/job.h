#pragma once

#include "runtime/workloads/jobs/job_view.h"

// What a Job is to do next, decided without doing it.
//
// Each Pod carries a finalizer until it is counted: its uid is first written into
// status.uncountedTerminatedPods, then the finalizer goes, then the counter takes its place. So a
// Pod is counted once, whoever dies or deletes it in between.
namespace slipway::runtime {

inline constexpr std::size_t kMaxUncounted = 500;
inline constexpr Duration kFirstPodBackoff = std::chrono::seconds(10);
inline constexpr Duration kMostPodBackoff = std::chrono::minutes(10);

struct JobPod {
  const PodView* pod = nullptr;
  PolicyAnswer answer = {};  // of the failure policy, if it failed
};

// How a Job ends: FailureTarget or SuccessCriteriaMet, which become Failed or Complete once all
// Pods are gone and counted.
struct JobEnd {
  bool success = false;
  std::string reason = {};
  std::string message = {};
};

// A Job and its Pods at one moment.
struct JobLook {
  std::vector<const PodView*> active = {};
  std::int64_t terminating = 0;
  // As they will be written, with what has ended by now.
  std::int64_t succeeded = 0;
  std::int64_t failed = 0;
  std::vector<std::string> uncounted_succeeded = {};
  std::vector<std::string> uncounted_failed = {};
  std::set<std::int64_t> done_indexes = {};
  std::vector<const PodView*> ended = {};  // their finalizers go once that is written
  bool all_counted = false;                // nothing is left that has to be counted

  std::int64_t failures = 0;  // in a row, for the back-off
  Time last_failure = {};
  std::optional<JobEnd> end = {};
};
JobLook look_at_job(const JobView& job, const std::vector<JobPod>& pods, Time now);

struct JobActions {
  std::vector<const PodView*> remove = {};
  bool uncounted = false;  // those removed are not failures: their finalizers go first
  std::int64_t create = 0;
  std::vector<std::int64_t> indexes = {};  // of those to create, in an Indexed Job
  std::optional<Duration> again = {};
};
JobActions decide_job(const JobView& job, const JobLook& look, Time now);

}  // namespace slipway::runtime
