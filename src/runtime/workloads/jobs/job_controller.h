#pragma once

#include "runtime/workloads/jobs/job_status.h"
#include "runtime/workloads/pod_table.h"
#include "runtime/workloads/pod_writer.h"
#include "runtime/workloads/selector_index.h"

namespace slipway::runtime {

// Runs Jobs to completion, as kube-controller-manager does: parallelism, completions, back-off,
// deadlines, suspension, indexes, pod failure policies, and removal of finished ones after their
// time. backoffLimitPerIndex and successPolicy are refused with an event. For the embedded store.
class JobReconciler final : public control::Reconciler {
 public:
  JobReconciler(control::Manager& manager, control::Recorder& recorder, PodTable& pods);
  control::ControllerOptions options();

  Task<Result<control::Outcome>> reconcile(store::Key key) override;

 private:
  // All that one look needs, copied out of what may change while it writes.
  struct Turn {
    store::Key key = {};
    json::Object document = {};
    JobView job = {};
    std::vector<PodView> pods = {};
    JobLook look = {};  // points into `pods`
  };
  void subscribe(control::BringUp bring_up);
  void note_finalizer(const PodView* before, const PodView* after);
  std::vector<const PodView*> pods_of(const JobView& job) const;
  std::vector<JobPod> judged(const JobView& job, const std::vector<PodView>& pods) const;
  Task<Result<control::Outcome>> carry_on(Turn& turn);
  // What the actions came to; the first error, if any.
  Task<std::optional<Error>> act(Turn& turn, JobActions actions, JobEffect& effect);
  Task<Result<>> claim(json::Object job, Claims claims);
  Task<Result<>> write_status(Turn& turn, JobVerdict verdict);
  Task<Result<control::Outcome>> expire(JobView job, store::Version version);
  // Finalizers on Pods whose Job has gone, or is over.
  Task<Result<>> let_go(store::Key key, std::string uid);

  control::Manager& manager_;
  control::Recorder& recorder_;
  PodTable& pods_;
  PodWriter writer_;
  OwnWrites own_;
  SelectorIndex selectors_;
  std::map<store::Key, std::set<store::Key>> held_;  // by Job: Pods that carry the finalizer
};

// The Pod of a Job; `index`: of an Indexed one.
json::Object pod_of_job(const json::Object& job, std::optional<std::int64_t> index);

}  // namespace slipway::runtime
