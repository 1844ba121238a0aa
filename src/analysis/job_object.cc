#include "analysis/job_object.h"

#include <fmt/format.h>

#include <charconv>

#include "analysis/due.h"
#include "analysis/job.h"

namespace slipway::analysis {
namespace {

using api::argo::AnalysisRun;

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

}  // namespace

std::string job_name(const std::string& run_uid, const std::string& metric, std::int64_t number) {
  const std::string end = fmt::format(".{}", number);
  const std::size_t rest = run_uid.size() + 1 + end.size();
  const std::size_t room = rest < kMaxJobName ? kMaxJobName - rest : 0;
  return run_uid + "." + metric.substr(0, room) + end;
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
  annotations["analysisrun.argoproj.io/metric-name"] = metric.name;

  json::Object job{{"apiVersion", "batch/v1"},
                   {"kind", "Job"},
                   {"metadata", json::Object{{"name", job_name(uid, metric.name, number)},
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
  const json::Value document(job);
  const json::Value* labels = json::at(document, {"metadata", "labels"});
  return labels && json::string_at(*labels, {kRunUidLabel}) == uid;
}

Result<api::LabelSelector> jobs_of(const AnalysisRun& run) {
  return api::parse_label_selector(fmt::format("{}={}", kRunUidLabel, uid_of(run)));
}

Result<api::LabelSelector> pods_of(const json::Object& job) {
  const json::Value document(job);
  const json::Value* selector = json::at(document, {"spec", "selector"});
  if (!selector) return fail(ErrorCode::kInvalid, "the Job selects no Pods");
  return api::read_label_selector(*selector);
}

bool by_age_and_number(const std::pair<std::string, store::Key>& a,
                       const std::pair<std::string, store::Key>& b) {
  if (a.first != b.first) return a.first < b.first;
  return number_of(a.second.name) < number_of(b.second.name);
}

}  // namespace slipway::analysis
