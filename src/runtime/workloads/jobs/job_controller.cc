#include "runtime/workloads/jobs/job_controller.h"

#include <fmt/format.h>

#include "api/object.h"
#include "store/decode.h"

namespace slipway::runtime {

namespace {

using control::EventKind;
using control::Outcome;

constexpr std::string_view kJobNameLabel = "batch.kubernetes.io/job-name";

bool matters(const PodView* before, const PodView* after) {
  if (!before || !after) return true;
  return before->phase != after->phase || before->deleting != after->deleting ||
         before->ready != after->ready || before->tracked != after->tracked ||
         before->labels != after->labels || before->controller_uid != after->controller_uid ||
         before->all_restarts != after->all_restarts;
}

std::string_view label_of(const PodView& pod, std::string_view key) {
  for (const auto& [name, value] : pod.labels)
    if (name == key) return value;
  return {};
}

// Where a Pod belongs, even when it was let go of.
store::Key job_of(const PodView& pod) {
  if (pod.controller_kind == "Job") return {pod.key.ns, pod.controller_name};
  return {pod.key.ns, std::string(label_of(pod, kJobNameLabel))};
}

}  // namespace

JobReconciler::JobReconciler(control::Manager& manager, control::Recorder& recorder, PodTable& pods)
    : manager_(manager),
      recorder_(recorder),
      pods_(pods),
      writer_(manager, recorder),
      own_(manager, kJobs) {}

control::ControllerOptions JobReconciler::options() {
  return {.name = "job", .kind = kJobs, .needs = {kPods}, .subscribe = [this](control::BringUp by) {
            subscribe(std::move(by));
          }};
}

void JobReconciler::subscribe(control::BringUp bring_up) {
  selectors_.follow(manager_.cache(kJobs));
  pods_.on_change([this, bring_up](const PodView* before, const PodView* after) {
    note_finalizer(before, after);
    if (!matters(before, after)) return;
    for (const PodView* pod : {before, after})
      if (pod && pod->controller_kind == "Job") bring_up({pod->key.ns, pod->controller_name});
    if (!after || !after->controller_uid.empty()) return;
    for (const store::Key& key : selectors_.selecting(after->key.ns, after->labels)) bring_up(key);
    // Let go of by a Job that was deleted without its Pods.
    if (after->tracked) bring_up(job_of(*after));
  });
}

void JobReconciler::note_finalizer(const PodView* before, const PodView* after) {
  if (before && before->tracked) {
    const auto held = held_.find(job_of(*before));
    if (held != held_.end() && held->second.erase(before->key) > 0 && held->second.empty())
      held_.erase(held);
  }
  if (after && after->tracked) held_[job_of(*after)].insert(after->key);
}

std::vector<const PodView*> JobReconciler::pods_of(const JobView& job) const {
  auto pods = pods_.controlled_by(job.claimant.uid);
  const auto orphans = pods_.orphans(job.key.ns, job.claimant.selector);
  pods.insert(pods.end(), orphans.begin(), orphans.end());
  return pods;
}

std::vector<JobPod> JobReconciler::judged(const JobView& job,
                                          const std::vector<PodView>& pods) const {
  std::vector<JobPod> all;
  for (const PodView& pod : pods) {
    JobPod& one = all.emplace_back(JobPod{.pod = &pod});
    const bool failed = pod.phase == PodPhase::kFailed || pod.deleting;
    if (!pod.tracked || !failed || job.failure_policy.is_null()) continue;
    if (const auto document = pods_.document_of(pod))
      one.answer = ask_failure_policy(job.failure_policy, *document);
  }
  return all;
}

Task<Result<Outcome>> JobReconciler::reconcile(store::Key key) {
  SLIPWAY_CO_TRY(co_await own_.shown(key));
  SLIPWAY_CO_TRY(co_await writer_.shown(key));
  const store::Item* item = manager_.cache(kJobs).get(key);
  if (!item) {
    SLIPWAY_CO_TRY(co_await let_go(key, {}));
    co_return Outcome{};
  }
  auto document = store::decode(*item);
  if (!document) co_return std::unexpected(std::move(document).error());
  const store::Version version = item->version;
  auto job = view_job(*document);
  if (!job) co_return std::unexpected(std::move(job).error());
  if (!job->managed_by.empty()) co_return Outcome{};
  if (job->is_finished()) {
    SLIPWAY_CO_TRY(co_await let_go(key, {}));
    co_return co_await expire(std::move(*job), version);
  }
  SLIPWAY_CO_TRY(co_await let_go(key, job->claimant.uid));
  if (!job->unsupported.empty()) {
    recorder_.record(*document, EventKind::kWarning, "Unsupported",
                     fmt::format("{} is not carried out here; leave it out, or run the Job on a "
                                 "cluster",
                                 job->unsupported));
    co_return Outcome{};
  }
  const Claims claims = decide_claims(job->claimant, pods_of(*job));
  if (!claims.adopt.empty() || !claims.release.empty()) {
    SLIPWAY_CO_TRY(co_await claim(std::move(*document), claims));
    co_return Outcome{.again = Duration::zero()};
  }
  Turn turn{.key = key, .document = std::move(*document), .job = std::move(*job)};
  for (const PodView* pod : claims.owned) turn.pods.push_back(*pod);
  co_return co_await carry_on(turn);
}

Task<Result<Outcome>> JobReconciler::carry_on(Turn& turn) {
  const Time now = manager_.loop().clock().now();
  turn.look = look_at_job(turn.job, judged(turn.job, turn.pods), now);
  JobActions actions = decide_job(turn.job, turn.look, now);
  const std::optional<Duration> again = actions.again;
  if (!turn.job.claimant.deleting) {
    JobEffect effect;
    const auto error = co_await act(turn, std::move(actions), effect);
    SLIPWAY_CO_TRY(
        co_await write_status(turn, decide_job_status(turn.job, turn.look, effect, now)));
    if (error) co_return fail(*error);
  }
  auto freed = co_await writer_.unfinalize(turn.document, refs_to(turn.look.ended),
                                           std::string(kTrackingFinalizer));
  if (freed.error) co_return fail(std::move(*freed.error));
  co_return Outcome{.again = again};
}

Task<std::optional<Error>> JobReconciler::act(Turn& turn, JobActions actions, JobEffect& effect) {
  if (!actions.remove.empty()) {
    auto refs = refs_to(actions.remove);
    if (actions.uncounted) {
      auto freed =
          co_await writer_.unfinalize(turn.document, refs, std::string(kTrackingFinalizer));
      effect.failed = freed.error.has_value();
      if (freed.error) co_return std::move(freed.error);
    }
    auto removed = co_await writer_.remove(turn.document, std::move(refs));
    effect.failed = removed.error.has_value();
    if (!removed.error) effect.removed = std::move(actions.remove);
    co_return std::move(removed.error);
  }
  std::vector<json::Object> pods;
  for (std::int64_t i = 0; i < actions.create; ++i)
    pods.push_back(pod_of_job(turn.document,
                              actions.indexes.empty()
                                  ? std::nullopt
                                  : std::optional(actions.indexes[static_cast<std::size_t>(i)])));
  auto made = co_await writer_.create(turn.document, std::move(pods));
  effect.created = made.count;
  effect.failed = made.error.has_value();
  co_return std::move(made.error);
}

Task<Result<>> JobReconciler::claim(json::Object job, Claims claims) {
  const std::string finalizer(kTrackingFinalizer);
  auto adopted = refs_to(claims.adopt);
  SLIPWAY_CO_TRY(co_await writer_.release(job, refs_to(claims.release), finalizer));
  if (adopted.empty()) co_return Result<>();
  SLIPWAY_CO_TRY(co_await may_adopt(manager_.store(), kJobs, job));
  co_return co_await writer_.adopt(std::move(job), std::move(adopted), finalizer);
}

Task<Result<>> JobReconciler::write_status(Turn& turn, JobVerdict verdict) {
  const json::Value* before = turn.document.if_contains("status");
  if (before && json::same(*before, verdict.status)) co_return Result<>();
  json::Object changed = turn.document;
  changed["status"] = std::move(verdict.status);
  auto written = co_await manager_.store().update(kJobs, turn.key, std::move(changed),
                                                  {.subresource = "status"});
  SLIPWAY_CO_TRY(own_.note(turn.key, written));
  for (const JobVerdict::Event& event : verdict.events)
    recorder_.record(turn.document, event.warning ? EventKind::kWarning : EventKind::kNormal,
                     event.reason, event.message);
  co_return Result<>();
}

Task<Result<Outcome>> JobReconciler::expire(JobView job, store::Version version) {
  const auto finished = job.finish_time();
  if (!job.ttl || !finished || job.claimant.deleting) co_return Outcome{};
  const Time now = manager_.loop().clock().now();
  if (now < *finished + *job.ttl) co_return Outcome{.again = *finished + *job.ttl - now};
  auto removed = co_await manager_.store().remove(kJobs, job.key,
                                                  {.propagation = store::Propagation::kForeground,
                                                   .if_uid = job.claimant.uid,
                                                   .if_version = version});
  if (!removed && removed.error().code != ErrorCode::kNotFound)
    co_return std::unexpected(std::move(removed).error());
  co_return Outcome{};
}

// Nobody will count them any more, and without this they could not go. `uid`: of the Job that
// still does.
Task<Result<>> JobReconciler::let_go(store::Key key, std::string uid) {
  std::vector<PodRef> left;
  if (const auto held = held_.find(key); held != held_.end())
    for (const store::Key& name : held->second)
      if (const PodView* pod = pods_.get(name);
          pod && (uid.empty() || (pod->controller_uid != uid && !pod->controller_uid.empty())))
        left.push_back(ref_to(*pod));
  if (left.empty()) co_return Result<>();
  json::Object about{{"metadata", json::Object{{"namespace", key.ns}, {"name", key.name}}}};
  auto freed = co_await writer_.unfinalize(std::move(about), std::move(left),
                                           std::string(kTrackingFinalizer));
  if (freed.error) co_return fail(std::move(*freed.error));
  co_return Result<>();
}

}  // namespace slipway::runtime
