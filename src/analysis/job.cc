#include "analysis/job.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/due.h"
#include "analysis/job_object.h"
#include "analysis/phase.h"
#include "store/decode.h"

namespace slipway::analysis {
namespace {

using api::argo::AnalysisRun;
using api::argo::Measurement;

const api::Gvr kJobs{"batch", "v1", "jobs"};
const api::Gvr kPods{"", "v1", "pods"};

constexpr std::array kHopeless = {"ErrImagePull", "ImagePullBackOff", "InvalidImageName"};
constexpr Duration kAskAgain = std::chrono::seconds(10);
constexpr Duration kLongestWait = std::chrono::minutes(5);

Result<store::Key> key_of(const AnalysisRun& run, const Measurement& measurement) {
  const auto name = measurement.metadata.find(std::string(kJobName));
  if (name == measurement.metadata.end() || name->second.empty())
    return fail(ErrorCode::kInvalid, "job metadata reference missing");
  const auto ns = measurement.metadata.find(std::string(kJobNamespace));
  return store::Key{ns == measurement.metadata.end() ? namespace_of(run) : ns->second,
                    name->second};
}

std::string hopeless_container(const json::Object& pod) {
  for (const char* which : {"initContainerStatuses", "containerStatuses"}) {
    const json::Value* statuses = json::at(pod, {"status", which});
    if (!statuses || !statuses->is_array()) continue;
    for (const json::Value& one : statuses->get_array()) {
      const auto reason = json::string_at(one, {"state", "waiting", "reason"});
      if (std::ranges::find(kHopeless, reason) == kHopeless.end()) continue;
      return fmt::format("Pod {}, container {} has terminal error ({}): {}", api::name_of(pod),
                         json::string_at(one, {"name"}), reason,
                         json::string_at(one, {"state", "waiting", "message"}));
    }
  }
  return {};
}

}  // namespace

JobProvider::JobProvider(store::Store& store, Clock& clock, std::string ns)
    : store_(store), clock_(clock), ns_(std::move(ns)) {}

Time JobProvider::now() const { return std::chrono::floor<std::chrono::seconds>(clock_.now()); }

Measurement JobProvider::failed(Measurement measurement, const Error& error) const {
  return failed_with(error, std::move(measurement), now());
}

slipway::Task<Measurement> JobProvider::start(AnalysisRun run, std::size_t metric,
                                              std::stop_token) {
  Measurement measurement{.phase = std::string(kRunning), .started_at = now()};
  const std::string ns = ns_.empty() ? namespace_of(run) : ns_;
  auto job = job_of(run, metric, ns);
  if (!job) co_return failed(std::move(measurement), job.error());
  const std::string name(api::name_of(*job));
  const auto created = co_await store_.create(kJobs, ns, *job, {.manager = "slipway"});
  if (!created) {
    // Without an answer it may have been made all the same.
    const bool lost = is_passing(created.error());
    if (!lost && created.error().code != ErrorCode::kAlreadyExists)
      co_return failed(std::move(measurement), created.error());
    const auto there = co_await store_.get(kJobs, {ns, name});
    const auto document = there ? store::decode(*there) : std::unexpected(there.error());
    const bool ours = document && belongs_to(*document, run);
    // Whether it is there is asked again by `resume`.
    const bool unknown = lost && !there && is_passing(there.error());
    if (!ours && !unknown) co_return failed(std::move(measurement), created.error());
  }
  measurement.metadata = {{std::string(kJobName), name}, {std::string(kJobNamespace), ns}};
  measurement.resume_at = now();
  co_return measurement;
}

slipway::Task<Result<std::string>> JobProvider::find_hopeless_pod(json::Object job,
                                                                  std::string ns) {
  const auto selector = pods_of(job);
  if (!selector) co_return std::string();
  const auto page =
      co_await store_.list(kPods, {.ns = ns, .labels = *selector, .limit = kMaxListed});
  if (!page) co_return std::unexpected(page.error());
  for (const store::Item& item : page->items) {
    const auto pod = store::decode(item);
    if (!pod) continue;
    if (std::string problem = hopeless_container(*pod); !problem.empty()) co_return problem;
  }
  co_return std::string();
}

slipway::Task<Measurement> JobProvider::resume(AnalysisRun run, std::size_t, Measurement last,
                                               std::stop_token) {
  const auto key = key_of(run, last);
  if (!key) co_return failed(std::move(last), key.error());
  const auto item = co_await store_.get(kJobs, *key);
  const auto job = item ? store::decode(*item) : std::unexpected(item.error());
  if (!job && is_passing(job.error())) {
    last.resume_at = now() + kAskAgain;
    co_return last;
  }
  if (!job) co_return failed(std::move(last), job.error());
  if (const JobEnd end = end_of(*job); !end.phase.empty()) {
    last.phase = end.phase;
    last.message = end.message;
    last.finished_at = now();
    last.resume_at.reset();
    co_return last;
  }
  const auto hopeless = co_await find_hopeless_pod(*job, key->ns);
  if (hopeless && !hopeless->empty()) {
    last.phase = kInconclusive;
    last.message = *hopeless;
    last.finished_at = now();
    last.resume_at.reset();
    co_return last;
  }
  const std::chrono::duration<double> elapsed = now() - last.started_at.value_or(now());
  const std::chrono::duration<double> wait(std::sqrt(2 * std::max(0.0, elapsed.count())));
  last.resume_at = now() + std::clamp(std::chrono::duration_cast<Duration>(wait),
                                      Duration(std::chrono::seconds(1)), kLongestWait);
  co_return last;
}

slipway::Task<Result<>> JobProvider::remove(store::Key key) {
  const auto removed = co_await store_.remove(kJobs, std::move(key),
                                              {.propagation = store::Propagation::kForeground});
  if (!removed && removed.error().code != ErrorCode::kNotFound)
    co_return std::unexpected(removed.error());
  co_return Result<>();
}

slipway::Task<Measurement> JobProvider::terminate(AnalysisRun run, std::size_t, Measurement last,
                                                  std::stop_token) {
  const auto key = key_of(run, last);
  if (!key) co_return failed(std::move(last), key.error());
  if (const auto removed = co_await remove(*key); !removed) {
    if (is_passing(removed.error())) co_return last;
    co_return failed(std::move(last), removed.error());
  }
  co_return terminated(std::move(last), now());
}

slipway::Task<Result<>> JobProvider::collect(AnalysisRun run, Kept kept, std::stop_token) {
  const std::string ns = ns_.empty() ? namespace_of(run) : ns_;
  const auto selector = jobs_of(run);
  if (!selector) co_return std::unexpected(selector.error());
  std::vector<RunJob> jobs;
  store::ListOptions from{.ns = ns, .labels = *selector, .limit = kMaxListed};
  // What is superfluous among some is so among all: those of later pages can wait.
  for (int i = 0; i < kMaxPages; ++i) {
    const auto page = co_await store_.list(kJobs, from);
    if (!page) co_return std::unexpected(page.error());
    for (const store::Item& item : page->items) {
      const auto job = store::decode(item);
      if (!job || !belongs_to(*job, run) || api::is_deleting(*job)) continue;
      jobs.push_back(run_job_of(*job, item.key));
    }
    if (page->continue_token.empty()) break;
    from.continue_token = page->continue_token;
  }
  for (const store::Key& key : superfluous(std::move(jobs), kept))
    if (const auto removed = co_await remove(key); !removed)
      co_return std::unexpected(removed.error());
  co_return Result<>();
}

}  // namespace slipway::analysis
