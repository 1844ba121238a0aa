#include <set>

#include <fmt/format.h>

#include "api/rules/job_indexes.h"
#include "api/rules/kind_rules.h"
#include "base/time.h"

// What a Job may say of its own state. Jobs may be run by controllers of others (spec.managedBy),
// so the API server is strict about how one ends. A rule looks only at what the update changes: a
// new spec may make an old status wrong, and whoever runs the Job needs time to put it right.
namespace slipway::api {

namespace {

// A Job before or after the update.
struct Side {
  explicit Side(const json::Object& job)
      : spec(Place::of(job, "spec")),
        status(Place::of(job, "status")),
        complete(says("Complete")),
        failed(says("Failed")),
        finished(complete || failed),
        success(says("SuccessCriteriaMet")),
        failing(says("FailureTarget")) {}

  bool says(std::string_view type, std::string_view value = "True") const {
    for (const Place& condition : status["conditions"].items())
      if (condition["type"].text() == type && condition["status"].text() == value) return true;
    return false;
  }
  std::optional<Time> time(std::string_view field) const {
    const Result<Time> read = parse_time(status[field].text());
    return read ? std::optional(*read) : std::nullopt;
  }
  bool indexed() const { return spec["completionMode"].text() == "Indexed"; }
  bool counts_pods() const {  // that have ended and are not in the numbers yet
    const Place pods = status["uncountedTerminatedPods"];
    return pods["succeeded"].size() + pods["failed"].size() > 0;
  }

  Place spec, status;
  bool complete, failed, finished, success, failing;
};

struct Update {
  bool changed(std::string_view field) const {
    return !same_when_stored(now.status[field].value(), before.status[field].value());
  }
  bool changed_number(std::string_view field) const {
    return now.status[field].integer() != before.status[field].integer();
  }
  bool changed_time(std::string_view field) const { return now.time(field) != before.time(field); }

  Side now, before;
  bool complete_changed = now.complete != before.complete;
  bool failed_changed = now.failed != before.failed;
  bool finished_changed = now.finished != before.finished;
};

void refuse_conditions(std::string_view detail, Findings& findings) {
  findings.add(
      {"FieldValueInvalid", fmt::format("Invalid value: {}", detail), "status.conditions"});
}

void check_uncounted(const Place& pods, Findings& findings) {
  std::set<std::string_view> seen;
  for (const std::string_view list : {"succeeded", "failed"})
    for (const Place& uid : pods[list].items()) {
      if (uid.text().empty())
        findings.invalid(uid.path(), "", "must not be empty");
      else if (!seen.insert(uid.text()).second)
        findings.duplicate(uid.path(), uid.value());
    }
}

void check_counts(const Side& now, Findings& findings) {
  for (const std::string_view field : {"active", "succeeded", "failed", "ready", "terminating"})
    check_not_negative(now.status[field], findings);
  check_uncounted(now.status["uncountedTerminatedPods"], findings);
}

void check_completion_time(const Update& update, Findings& findings) {
  const Side& now = update.now;
  const Place end = now.status["completionTime"];
  const bool looked_at = update.complete_changed || update.changed_time("completionTime");
  if (looked_at && end.present() && !now.complete)
    findings.invalid(end.path(), end.value(),
                     "cannot set completionTime when there is no Complete=True condition");
  if (looked_at && !end.present() && now.complete)
    findings.required(end.path(), "completionTime is required for Complete jobs");
  const bool moved = update.changed_time("startTime") || update.changed_time("completionTime");
  const std::optional<Time> from = now.time("startTime");
  const std::optional<Time> to = now.time("completionTime");
  if (moved && from && to && *to < *from)
    findings.invalid(end.path(), end.value(), "must be equal to or after `startTime`");
}

void check_ends(const Update& update, Findings& findings) {
  const Side& now = update.now;
  if ((update.complete_changed || update.failed_changed) && now.complete && now.failed)
    refuse_conditions("cannot set Complete=True and Failed=true conditions", findings);
  if ((update.complete_changed || now.failing != update.before.failing) && now.complete &&
      now.failing)
    refuse_conditions("cannot set Complete=True and FailureTarget=true conditions", findings);
  check_completion_time(update, findings);
  if ((update.failed_changed || update.changed("failedIndexes")) && now.failed && !now.failing)
    refuse_conditions("cannot set Failed=True condition without the FailureTarget=true condition",
                      findings);
  if ((update.complete_changed || now.success != update.before.success) && now.complete &&
      !now.success)
    refuse_conditions(
        "cannot set Complete=True condition without the SuccessCriteriaMet=true condition",
        findings);
}

std::string uids_shown(const Place& list) {
  return list.present() ? json::write(list.value()) : "null";
}

void check_finished(const Update& update, Findings& findings) {
  const Side& now = update.now;
  if (!now.finished) return;
  const Place active = now.status["active"];
  if ((update.finished_changed || update.changed_number("active")) && active.integer() > 0)
    findings.invalid(active.path(), active.value(), "active>0 is invalid for finished job");
  const bool never_began = now.spec["suspend"].truth() && now.spec["completions"].present() &&
                           now.spec["completions"].integer() == 0;
  const Place start = now.status["startTime"];
  if ((update.finished_changed || update.changed_time("startTime")) && !never_began &&
      !start.present())
    findings.required(start.path(), "startTime is required for finished job");
  const Place pods = now.status["uncountedTerminatedPods"];
  // Upstream shows its internal struct, without the names that clients know.
  if ((update.finished_changed || update.changed("uncountedTerminatedPods")) && now.counts_pods())
    findings.add({"FieldValueInvalid",
                  fmt::format(R"(Invalid value: {{"Succeeded":{},"Failed":{}}}: )"
                              "must be empty for finished job",
                              uids_shown(pods["succeeded"]), uids_shown(pods["failed"])),
                  pods.path()});
}

void check_index_list(const Place& list, const Place& completions, std::string_view name,
                      Findings& findings) {
  if (!completions.present()) return;
  std::string problem = index_list_problem(list.text(), completions.integer());
  if (!problem.empty())
    findings.invalid(list.path(), list.value(), fmt::format("error parsing {}: {}", name, problem));
}

void check_indexes(const Update& update, Findings& findings) {
  const Side& now = update.now;
  const Place completed = now.status["completedIndexes"];
  const Place failed = now.status["failedIndexes"];
  const Place completions = now.spec["completions"];
  const bool per_index = now.spec["backoffLimitPerIndex"].present();
  const bool completed_changed = update.changed("completedIndexes");
  const bool failed_changed = update.changed("failedIndexes");
  if (completed_changed) check_index_list(completed, completions, "completedIndexes", findings);
  if (failed_changed && per_index && failed.present())
    check_index_list(failed, completions, "failedIndexes", findings);
  if (completed_changed && !completed.empty() && !now.indexed())
    findings.invalid(completed.path(), completed.value(),
                     "cannot set non-empty completedIndexes when non-indexed completion mode");
  if (failed_changed && failed.present() && !per_index)
    findings.invalid(failed.path(), failed.value(),
                     "cannot set non-null failedIndexes when backoffLimitPerIndex is null");
  if (!completed_changed && !failed_changed) return;
  if (!completions.present() || completed.empty() || failed.empty()) return;
  if (auto both = shared_index(completed.text(), failed.text(), completions.integer()))
    findings.invalid(failed.path(), failed.value(),
                     fmt::format("failedIndexes and completedIndexes overlap at index: {}", *both));
}

void check_pods_left(const Update& update, Findings& findings) {
  const Side& now = update.now;
  const Place leaving = now.status["terminating"];
  if ((update.finished_changed || update.changed("terminating")) && leaving.integer() > 0 &&
      now.finished)
    findings.invalid(leaving.path(), leaving.value(), "terminating>0 is invalid for finished job");
  const Place ready = now.status["ready"];
  if ((update.changed("ready") || update.changed_number("active")) && ready.present() &&
      ready.integer() > now.status["active"].integer())
    findings.invalid(ready.path(), ready.value(), "cannot set more ready pods than active");
}

void check_success(const Side& now, Findings& findings) {
  if (now.success && now.failed)
    refuse_conditions("cannot set SuccessCriteriaMet=True and Failed=true conditions", findings);
  if (now.success && now.failing)
    refuse_conditions("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions",
                      findings);
  if (now.spec["successPolicy"].present() && !now.success && now.complete)
    refuse_conditions(
        "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True",
        findings);
}

void check_not_decreased(const Update& update, std::string_view counter, Findings& findings) {
  const Place now = update.now.status[counter];
  if (now.integer() < update.before.status[counter].integer())
    findings.invalid(now.path(), json::Value(now.integer()),
                     fmt::format("cannot decrease the {} counter", counter));
}

void check_way_back(const Update& update, Findings& findings) {
  const Side& now = update.now;
  const Side& before = update.before;
  for (const std::string_view type : {"Failed", "Complete", "FailureTarget"})
    if (before.says(type) && !now.says(type))
      refuse_conditions(fmt::format("cannot disable the terminal {}=True condition", type),
                        findings);
  check_not_decreased(update, "failed", findings);
  // An Indexed Job whose parallelism is its size may be made smaller.
  const bool elastic =
      now.indexed() && json::same(now.spec["completions"].value(), now.spec["parallelism"].value());
  if (!elastic) check_not_decreased(update, "succeeded", findings);
  const Place end = now.status["completionTime"];
  if (end.present() && before.status["completionTime"].present() &&
      update.changed_time("completionTime"))
    findings.invalid(end.path(), end.value(), "field is immutable");
  const bool resumes = before.says("Suspended") && now.says("Suspended", "False");
  if (before.status["startTime"].present() && update.changed_time("startTime") && !resumes &&
      !now.spec["suspend"].truth())
    findings.required("status.startTime", "startTime cannot be removed for unsuspended job");
  if (before.success && !now.success)
    refuse_conditions("cannot disable the SuccessCriteriaMet=True condition", findings);
  if (before.complete && !before.success && now.success)
    refuse_conditions(
        "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions",
        findings);
}

}  // namespace

void check_job_status(const json::Object& job, const json::Object* old, Findings& findings) {
  if (!changes_status(job, old)) return;
  const Update update{.now = Side(job), .before = Side(*old)};
  check_counts(update.now, findings);
  check_ends(update, findings);
  check_finished(update, findings);
  check_indexes(update, findings);
  check_pods_left(update, findings);
  check_success(update.now, findings);
  check_way_back(update, findings);
}

}  // namespace slipway::api
