#pragma once

#include <string>
#include <vector>

#include "analysis/run_rules.h"
#include "api/kinds/argo_analysis.h"
#include "api/object.h"
#include "api/selector.h"
#include "store/store.h"

// What a Job of an AnalysisRun looks like, and how it is known. Pure. Private to the job provider.
namespace slipway::analysis {

inline constexpr std::string_view kJobName = "job-name";  // of a measurement's metadata
inline constexpr std::string_view kJobNamespace = "job-namespace";
inline constexpr std::string_view kRunUidLabel = "analysisrun.argoproj.io/uid";
// Pods carry the Job's name as a label.
inline constexpr std::size_t kMaxJobName = 63;

// `<uid>.<metric>.<number>`, the metric's part cut so that all of it fits. `twin`: another metric
// of the run would be cut to the same, so this one ends in a hash of its whole name.
std::string job_name(const std::string& run_uid, const std::string& metric, std::int64_t number,
                     bool twin = false);

// Owned by the run, or elsewhere labelled with it.
bool belongs_to(const json::Object& job, const api::argo::AnalysisRun& run);

Result<api::LabelSelector> jobs_of(const api::argo::AnalysisRun& run);
// Those that the Job itself selects. kInvalid: it selects none.
Result<api::LabelSelector> pods_of(const json::Object& job);

// Successful or Failed by the Job's own conditions; empty while it runs.
struct JobEnd {
  std::string_view phase = {};
  std::string message = {};
};
JobEnd end_of(const json::Object& job);

// A Job of a run, for those who clear up.
struct RunJob {
  std::string metric = {};
  std::string created = {};  // RFC 3339
  store::Key key = {};
  bool ended = false;
};
RunJob run_job_of(const json::Object& job, store::Key key);

// Those that go when the newest `kept` of a metric stay: never one that still runs, whatever its
// age; its measurement is not over.
std::vector<store::Key> superfluous(std::vector<RunJob> jobs, const Kept& kept);

}  // namespace slipway::analysis
