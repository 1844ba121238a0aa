#include "analysis/job_object.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>

#include "analysis/due.h"
#include "analysis/job.h"
#include "analysis/phase.h"
#include "base/hash.h"

namespace slipway::analysis {
namespace {

using api::argo::AnalysisRun;

constexpr std::string_view kMetricName = "analysisrun.argoproj.io/metric-name";

std::string uid_of(const AnalysisRun& run) {
  return std::string(json::string_at(run.metadata.value, {"uid"}));
}

void put_all(const json::Value* from, json::Object& into) {
  if (!from || !from->is_object()) return;
  for (const auto& [key, value] : from->get_object()) into[key] = value;
}

std::int64_t number_of(const std::string& name) {
  std::int64_t number = 0;
  const auto dot = name.rfind('.');
  if (dot != std::string::npos)
    std::from_chars(name.data() + dot + 1, name.data() + name.size(), number);
  return number;
}

std::size_t room_for_metric(const std::string& run_uid, const std::string& end) {
  const std::size_t rest = run_uid.size() + 1 + end.size();
  return rest < kMaxJobName ? kMaxJobName - rest : 0;
}

std::string end_of_name(std::int64_t number) { return fmt::format(".{}", number); }

// Whether the Job of another metric would have the same name.
bool has_twin(const AnalysisRun& run, const std::string& metric, std::int64_t number) {
  const std::size_t room = room_for_metric(uid_of(run), end_of_name(number));
  if (metric.size() <= room) return false;
  return std::ranges::any_of(run.spec.metrics, [&](const api::argo::Metric& other) {
    return other.provider.job && other.name != metric &&
           other.name.compare(0, room, metric, 0, room) == 0;
  });
}

}  // namespace

std::string job_name(const std::string& run_uid, const std::string& metric, std::int64_t number,
                     bool twin) {
  const std::string end = end_of_name(number);
  std::size_t room = room_for_metric(run_uid, end);
  const std::string mark = twin ? fmt::format("-{:08x}", fnv1a32(metric)) : std::string();
  room -= std::min(room, mark.size());
  std::string part = metric.substr(0, room);
  // A name may not have a part that ends so.
  while (part.size() < metric.size() && (part.ends_with('-') || part.ends_with('.')))
    part.pop_back();
  return run_uid + "." + part + mark + end;
}

Result<json::Object> job_of(const AnalysisRun& run, std::size_t index, const std::string& ns) {
  const auto& metric = run.spec.metrics[index];
  const std::string uid = uid_of(run);
  if (uid.empty()) return fail(ErrorCode::kInvalid, "a run without uid cannot own a Job");
  const auto* result = result_of(run, metric.name);
  const std::int64_t number = result ? result->count + result->error + 1 : 1;
  const std::string run_name(json::string_at(run.metadata.value, {"name"}));
  const std::string run_ns(json::string_at(run.metadata.value, {"namespace"}));

  json::Object labels, annotations;
  const json::Value& given = metric.provider.job->metadata.value;
  put_all(json::at(given, {"labels"}), labels);
  put_all(json::at(given, {"annotations"}), annotations);
  labels[kRunUidLabel] = uid;
  annotations["analysisrun.argoproj.io/name"] = run_name;
  annotations["analysisrun.argoproj.io/namespace"] = run_ns;
  annotations[kMetricName] = metric.name;

  json::Object job{{"apiVersion", "batch/v1"},
                   {"kind", "Job"},
                   {"metadata", json::Object{{"name", job_name(uid, metric.name, number,
                                                               has_twin(run, metric.name, number))},
                                             {"namespace", ns},
                                             {"labels", std::move(labels)},
                                             {"annotations", std::move(annotations)}}},
                   {"spec", metric.provider.job->spec.value}};
  if (!job["spec"].is_object()) job["spec"] = json::Object{};
  json::object_at(job["spec"], {"template", "metadata", "labels"})[kRunUidLabel] = uid;
  if (ns == run_ns)
    api::set_owners(job, {{.api_version = "argoproj.io/v1alpha1",
                           .kind = "AnalysisRun",
                           .name = run_name,
                           .uid = uid,
                           .controller = true,
                           .block_owner_deletion = true}});
  return job;
}

bool belongs_to(const json::Object& job, const AnalysisRun& run) {
  const std::string uid = uid_of(run);
  if (const auto owner = api::controller_of(job)) return owner->uid == uid;
  return json::string_at(job, {"metadata", "labels", kRunUidLabel}) == uid;
}

Result<api::LabelSelector> jobs_of(const AnalysisRun& run) {
  return api::parse_label_selector(fmt::format("{}={}", kRunUidLabel, uid_of(run)));
}

Result<api::LabelSelector> pods_of(const json::Object& job) {
  const json::Value* selector = json::at(job, {"spec", "selector"});
  if (!selector) return fail(ErrorCode::kInvalid, "the Job selects no Pods");
  return api::read_label_selector(*selector);
}

JobEnd end_of(const json::Object& job) {
  JobEnd end;
  const json::Value* conditions = json::at(job, {"status", "conditions"});
  if (!conditions || !conditions->is_array()) return end;
  for (const json::Value& condition : conditions->get_array()) {
    if (json::string_at(condition, {"status"}) == "False") continue;
    const auto type = json::string_at(condition, {"type"});
    if (type != "Complete" && type != "Failed") continue;
    end.phase = type == "Complete" ? kSuccessful : kFailed;
    if (type == "Failed") end.message = json::string_at(condition, {"message"});
  }
  return end;
}

RunJob run_job_of(const json::Object& job, store::Key key) {
  return {.metric = std::string(json::string_at(job, {"metadata", "annotations", kMetricName})),
          .created = std::string(json::string_at(job, {"metadata", "creationTimestamp"})),
          .key = std::move(key),
          .ended = !end_of(job).phase.empty()};
}

std::vector<store::Key> superfluous(std::vector<RunJob> jobs, const Kept& kept) {
  // Newest first; of the same second, by the number that the name ends with.
  std::ranges::sort(jobs, [](const RunJob& a, const RunJob& b) {
    return std::tuple(a.created, number_of(a.key.name)) >
           std::tuple(b.created, number_of(b.key.name));
  });
  std::map<std::string, std::size_t> seen;
  std::vector<store::Key> keys;
  for (RunJob& job : jobs) {
    const auto most = kept.find(job.metric);
    if (most == kept.end()) continue;
    if (++seen[job.metric] > most->second && job.ended) keys.push_back(std::move(job.key));
  }
  return keys;
}

}  // namespace slipway::analysis
