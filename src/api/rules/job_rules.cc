#include <limits>

#include <fmt/format.h>

#include "api/object.h"
#include "api/rules/kind_rules.h"
#include "api/selector.h"

// Jobs.
namespace slipway::api {

namespace {

constexpr std::string_view kUidLabel = "batch.kubernetes.io/controller-uid";
constexpr std::string_view kNameLabel = "batch.kubernetes.io/job-name";

void default_job(json::Object& job) {
  json::Object* spec = member_object(job, "spec");
  if (spec == nullptr) return;
  const Place given = Place::of(job, "spec");
  if (!given["completions"].present() && !given["parallelism"].present())
    (*spec)["completions"] = 1;
  default_number(*spec, "parallelism", 1);
  const bool per_index = given["backoffLimitPerIndex"].present();
  default_number(*spec, "backoffLimit", per_index ? std::numeric_limits<std::int32_t>::max() : 6);
  default_text(*spec, "completionMode", "NonIndexed");
  default_flag(*spec, "suspend", false);
  default_text(*spec, "podReplacementPolicy",
               given["podFailurePolicy"].present() ? "Failed" : "TerminatingOrFailed");
  default_flag(*spec, "manualSelector", false);
  json::Object* pod_template = member_object(*spec, "template");
  json::Object* pod_spec = pod_template != nullptr ? member_object(*pod_template, "spec") : nullptr;
  if (pod_spec == nullptr) return;
  default_pod_spec(*pod_spec);
  const Place labels = Place::of(*pod_template, "metadata")["labels"];
  if (labels.size() > 0 && Place::of(job, "metadata")["labels"].size() == 0)
    metadata_of(job)["labels"] = labels.value();
}

void set_if_missing(json::Object& labels, std::string_view key, std::string_view value) {
  if (!labels.contains(key)) labels[key] = value;
}

json::Object* labels_in_template(json::Object& spec) {
  json::Object* object = member_object(spec, "template");
  object = object != nullptr ? member_object(*object, "metadata") : nullptr;
  return object != nullptr ? member_object(*object, "labels") : nullptr;
}

// A Job's Pods are known by its uid, in labels and selector that nobody has to write. A Job without
// labels of its own has those of its Pods, the generated ones too.
void prepare_job(json::Object& job, const json::Object* old) {
  json::Object* spec = existing_object(job, "spec");
  if (old != nullptr || spec == nullptr || Place::of(job, "spec")["manualSelector"].truth()) return;
  const std::string name(name_of(job));
  const std::string uid(uid_of(job));
  json::Object* labels = labels_in_template(*spec);
  json::Object* selector = member_object(*spec, "selector");
  json::Object* matched = selector != nullptr ? member_object(*selector, "matchLabels") : nullptr;
  if (labels == nullptr || matched == nullptr) return;
  const Place own = Place::of(job, "metadata")["labels"];
  const bool shared = own.size() == 0 || json::same(own.value(), *labels);
  set_if_missing(*labels, "job-name", name);
  set_if_missing(*labels, kNameLabel, name);
  set_if_missing(*labels, "controller-uid", uid);
  set_if_missing(*labels, kUidLabel, uid);
  set_if_missing(*matched, kUidLabel, uid);
  if (shared) metadata_of(job)["labels"] = *labels;
}

void check_indexed(const Place& spec, Findings& findings) {
  const bool indexed = spec["completionMode"].text() == "Indexed";
  if (indexed && !spec["completions"].present())
    findings.required(spec["completions"].path(), "when completion mode is Indexed");
  if (indexed) return;
  for (const std::string_view field : {"backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"})
    if (spec[field].present())
      findings.invalid(spec[field].path(), spec[field].value(), "requires indexed completion mode");
}

void check_restart_policy(const Place& spec, Findings& findings) {
  const Place policy = spec["template"]["spec"]["restartPolicy"];
  if (policy.empty() || policy.text() == "Always") {
    findings.required(policy.path(), "valid values: \"OnFailure\", \"Never\"");
  } else if (spec["podFailurePolicy"].present() && policy.text() != "Never") {
    findings.invalid(policy.path(), policy.value(),
                     "only \"Never\" is supported when podFailurePolicy is specified");
  }
}

void check_job_selector(const Place& spec, Findings& findings) {
  const Place selector = spec["selector"];
  if (!selector.present()) return findings.required(selector.path());
  const std::size_t before = findings.causes.size();
  check_label_selector(selector, findings);
  const Result<LabelSelector> read = read_label_selector(selector.value());
  const json::Value& pod_template = spec["template"].value();
  if (findings.causes.size() != before || !read || !pod_template.is_object()) return;
  const Place labels = spec["template"]["metadata"]["labels"];
  if (!read->matches(labels_of(pod_template.get_object())))
    findings.invalid(labels.path(), labels.value(), "`selector` does not match template `labels`");
}

void check_job_update(const Place& spec, const Place& before, Findings& findings) {
  if (spec["completionMode"].text() != "Indexed")
    check_immutable(spec["completions"], before["completions"], findings);
  for (const std::string_view field : {"selector", "template", "completionMode", "podFailurePolicy",
                                       "backoffLimitPerIndex", "managedBy", "successPolicy"})
    check_immutable(spec[field], before[field], findings);
}

void check_job(const json::Object& job, const json::Object* old, Findings& findings) {
  const Place spec = Place::of(job, "spec");
  for (const std::string_view field :
       {"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
        "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"})
    check_not_negative(spec[field], findings);
  if (spec["maxFailedIndexes"].present() && !spec["backoffLimitPerIndex"].present())
    findings.required(spec["backoffLimitPerIndex"].path(), "when maxFailedIndexes is specified");
  check_indexed(spec, findings);
  check_pod_template(spec["template"], findings);
  check_restart_policy(spec, findings);
  check_job_selector(spec, findings);
  if (old != nullptr) check_job_update(spec, Place::of(*old, "spec"), findings);
  check_job_status(job, old, findings);
}

}  // namespace

KindRules job_rules() {
  return {.set_defaults = default_job, .prepare = prepare_job, .validate = check_job};
}

}  // namespace slipway::api
