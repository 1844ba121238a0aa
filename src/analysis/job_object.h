#pragma once

#include <string>
#include <utility>

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

// `<uid>.<metric>.<number>`, the metric's part cut so that all of it fits.
std::string job_name(const std::string& run_uid, const std::string& metric, std::int64_t number);

// Owned by the run, or elsewhere labelled with it.
bool belongs_to(const json::Object& job, const api::argo::AnalysisRun& run);

Result<api::LabelSelector> jobs_of(const api::argo::AnalysisRun& run);
// Those that the Job itself selects. kInvalid: it selects none.
Result<api::LabelSelector> pods_of(const json::Object& job);

// Oldest first; of the same second, by the number that the name ends with.
bool by_age_and_number(const std::pair<std::string, store::Key>& a,
                       const std::pair<std::string, store::Key>& b);

}  // namespace slipway::analysis
