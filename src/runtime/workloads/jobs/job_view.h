#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/workloads/claims.h"

namespace slipway::runtime {

inline const api::Gvr kJobs{"batch", "v1", "jobs"};

// A Job, as decisions see it.
struct JobView {
  store::Key key = {};
  Claimant claimant = {};
  std::optional<std::int64_t> completions = {};  // none: the first success is enough
  std::int64_t parallelism = 1;
  std::int64_t backoff_limit = 6;
  std::optional<Duration> deadline = {};
  std::optional<Duration> ttl = {};
  bool suspended = false;
  bool indexed = false;
  bool replaces_failed_only = false;  // not those that are only on their way out
  bool restarts_in_place = false;     // restartPolicy: OnFailure
  std::string managed_by = {};        // another controller, empty: this one
  std::string unsupported = {};       // a field that is not carried out here; empty: none
  json::Value failure_policy = {};
  json::Object status = {};

  bool is_finished() const;
  std::optional<Time> start_time() const;
  std::optional<Time> finish_time() const;  // of the Complete or Failed condition
};
Result<JobView> view_job(const json::Object& job);

// The indexes in a status: "1,3-5,7". What cannot be read is passed over.
std::set<std::int64_t> read_indexes(std::string_view text);
std::string write_indexes(const std::set<std::int64_t>& indexes);

// What a Job's podFailurePolicy says to a failed Pod.
struct PolicyAnswer {
  bool counts = true;         // towards backoffLimit
  std::string fail_job = {};  // why the whole Job fails; empty: it does not
};
PolicyAnswer ask_failure_policy(const json::Value& policy, const json::Object& pod);

}  // namespace slipway::runtime
