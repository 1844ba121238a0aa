#include "runtime/workloads/jobs/job_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/object.h"
#include "api/rules/job_indexes.h"
#include "api/rules/members.h"
#include "runtime/workloads/conditions.h"
#include "store/key_of.h"

namespace slipway::runtime {

namespace {

constexpr std::string_view kOwnController = "kubernetes.io/job-controller";
constexpr std::int64_t kMaxIndexes = 100000;  // upstream's limit for completions of Indexed Jobs

std::optional<Duration> seconds_in(const json::Object& spec, std::string_view field) {
  const auto seconds = api::number_in<std::int64_t>(spec, field);
  return seconds ? std::optional<Duration>(std::chrono::seconds(*seconds)) : std::nullopt;
}

std::string unsupported_in(const json::Object& spec) {
  for (const std::string_view field : {"backoffLimitPerIndex", "successPolicy"})
    if (const json::Value* value = spec.if_contains(field); value && !value->is_null())
      return fmt::format("spec.{}", field);
  return {};
}

bool is_listed(const json::Object& rule, std::int64_t code) {
  const json::Array* values = api::array_in(rule, "values");
  const bool in = values && std::ranges::any_of(*values, [&](const json::Value& value) {
                    return value.is_int64() && value.get_int64() == code;
                  });
  return api::text_in(rule, "operator") == "NotIn" ? !in : in;
}

struct Ended {
  std::string name;
  std::int64_t code = 0;
};

std::optional<Ended> matching_exit(const json::Object& status, const json::Object& rule) {
  for (const std::string_view list : {"containerStatuses", "initContainerStatuses"}) {
    const json::Array* containers = api::array_in(status, list);
    if (!containers) continue;
    for (const json::Value& container : *containers) {
      const json::Value* code = json::at(container, {"state", "terminated", "exitCode"});
      const std::string_view name = json::string_at(container, {"name"});
      const std::string_view wanted = api::text_in(rule, "containerName");
      if (!code || !code->is_int64() || code->get_int64() == 0) continue;
      if (!wanted.empty() && wanted != name) continue;
      if (is_listed(rule, code->get_int64())) return Ended{std::string(name), code->get_int64()};
    }
  }
  return std::nullopt;
}

std::optional<std::string> matching_condition(const json::Object& status,
                                              const json::Array& patterns) {
  const json::Array* conditions = api::array_in(status, "conditions");
  if (!conditions) return std::nullopt;
  for (const json::Value& condition : *conditions)
    for (const json::Value& pattern : patterns)
      if (json::string_at(condition, {"type"}) == json::string_at(pattern, {"type"}) &&
          json::string_at(condition, {"status"}) == json::string_at(pattern, {"status"}))
        return std::string(json::string_at(condition, {"type"}));
  return std::nullopt;
}

// Why the rule applies to the Pod, in the words for a Job that fails by it.
std::optional<std::string> match(const json::Object& rule, std::size_t index,
                                 const json::Object& pod) {
  static const json::Object kNone;
  const json::Object* told = api::object_in(pod, "status");
  const json::Object& status = told ? *told : kNone;
  const std::string name = fmt::format("{}/{}", api::namespace_of(pod), api::name_of(pod));
  if (const json::Object* codes = api::object_in(rule, "onExitCodes")) {
    const auto ended = matching_exit(status, *codes);
    if (!ended) return std::nullopt;
    return fmt::format(
        "Container {} for pod {} failed with exit code {} matching {} rule at index {}",
        ended->name, name, ended->code, api::text_in(rule, "action"), index);
  }
  if (const json::Array* patterns = api::array_in(rule, "onPodConditions")) {
    const auto type = matching_condition(status, *patterns);
    if (!type) return std::nullopt;
    return fmt::format("Pod {} has condition {} matching {} rule at index {}", name, *type,
                       api::text_in(rule, "action"), index);
  }
  return std::nullopt;
}

}  // namespace

bool JobView::is_finished() const {
  return has_condition(status, "Complete", "True") || has_condition(status, "Failed", "True");
}

std::optional<Time> JobView::start_time() const {
  const auto time = parse_time(api::text_in(status, "startTime"));
  return time ? std::optional(*time) : std::nullopt;
}

std::optional<Time> JobView::finish_time() const {
  for (const std::string_view type : {"Complete", "Failed"}) {
    if (!has_condition(status, type, "True")) continue;
    const auto time = parse_time(api::text_in(*condition_in(status, type), "lastTransitionTime"));
    if (time) return *time;
  }
  return std::nullopt;
}

Result<JobView> view_job(const json::Object& job) {
  const json::Object* spec = api::object_in(job, "spec");
  if (!spec) return fail(ErrorCode::kInvalid, "a Job without spec");
  auto claimant = view_claimant(job);
  if (!claimant) return std::unexpected(std::move(claimant).error());
  JobView view{.key = store::key_of(job),
               .claimant = std::move(*claimant),
               .completions = api::number_in<std::int64_t>(*spec, "completions"),
               .parallelism = api::number_in<std::int64_t>(*spec, "parallelism").value_or(1),
               .backoff_limit = api::number_in<std::int64_t>(*spec, "backoffLimit").value_or(6),
               .deadline = seconds_in(*spec, "activeDeadlineSeconds"),
               .ttl = seconds_in(*spec, "ttlSecondsAfterFinished"),
               .suspended = api::flag_in(*spec, "suspend"),
               .indexed = api::text_in(*spec, "completionMode") == "Indexed",
               .replaces_failed_only = api::text_in(*spec, "podReplacementPolicy") == "Failed",
               .unsupported = unsupported_in(*spec)};
  if (const auto manager = api::text_in(*spec, "managedBy"); manager != kOwnController)
    view.managed_by = manager;
  view.restarts_in_place =
      json::string_at(*spec, {"template", "spec", "restartPolicy"}) == "OnFailure";
  if (const json::Value* policy = spec->if_contains("podFailurePolicy"))
    view.failure_policy = *policy;
  if (const json::Object* status = api::object_in(job, "status")) view.status = *status;
  return view;
}

std::set<std::int64_t> read_indexes(std::string_view text) {
  std::set<std::int64_t> indexes;
  for (const auto& [first, last] : api::read_index_list(text, kMaxIndexes))
    for (std::int64_t i = first; i <= last; ++i) indexes.insert(i);
  return indexes;
}

std::string write_indexes(const std::set<std::int64_t>& indexes) {
  std::string out;
  for (auto at = indexes.begin(); at != indexes.end();) {
    const std::int64_t first = *at;
    std::int64_t last = first;
    for (++at; at != indexes.end() && *at == last + 1; ++at) last = *at;
    if (!out.empty()) out += ",";
    out += std::to_string(first);
    if (last > first) out += (last == first + 1 ? "," : "-") + std::to_string(last);
  }
  return out;
}

PolicyAnswer ask_failure_policy(const json::Value& policy, const json::Object& pod) {
  const json::Value* rules = json::at(policy, {"rules"});
  if (!rules || !rules->is_array()) return {};
  for (std::size_t i = 0; i < rules->get_array().size(); ++i) {
    const json::Object* rule = rules->get_array()[i].if_object();
    const auto why = rule ? match(*rule, i, pod) : std::nullopt;
    if (!why) continue;
    const std::string_view action = api::text_in(*rule, "action");
    if (action == "Ignore") return {.counts = false};
    if (action == "FailJob") return {.fail_job = *why};
    return {};
  }
  return {};
}

}  // namespace slipway::runtime
