#include "api/rules/argo_rules.h"

#include <fmt/format.h>

#include "api/rules/kind_rules.h"

namespace slipway::api::argo {

namespace {

constexpr std::int32_t kReplicas = 1;
constexpr std::int32_t kRevisionHistoryLimit = 10;
constexpr std::int32_t kProgressDeadlineSeconds = 600;

// The Pod template as the ReplicaSet will have it, with Kubernetes' defaults, under Kubernetes'
// rules.
void validate_template(const RolloutSpec& spec, Findings& findings) {
  json::Object shown;
  if (spec.selector) shown["selector"] = spec.selector->value;
  shown["template"] =
      spec.template_.value.is_object() ? spec.template_.value : json::Value(json::Object());
  if (json::Object* pod = member_object(shown["template"].get_object(), "spec"))
    default_pod_spec(*pod);
  const json::Value value = std::move(shown);
  const Place place(&value, "spec");
  if (spec.selector) return check_selector_and_template(place, findings);
  findings.required("spec.selector", "Rollout has missing field '.spec.selector'");
  check_pod_template(place["template"], findings);
}

bool has_template_metadata(const RolloutSpec& spec) {
  const Place metadata = Place(&spec.template_.value, "")["metadata"];
  return metadata["labels"].size() > 0 || metadata["annotations"].size() > 0;
}

void validate_blue_green(const Rollout& rollout, const std::string& path, Findings& findings) {
  const BlueGreenStrategy& strategy = *rollout.spec.strategy.blue_green;
  not_negative(strategy.preview_replica_count, path + ".previewReplicaCount", findings);
  validate_amount(strategy.max_unavailable, path + ".maxUnavailable", findings);
  if (strategy.active_service.empty())
    findings.required(path + ".activeService", "name the Service that traffic goes through");
  else if (strategy.active_service == strategy.preview_service)
    findings.invalid(
        path + ".activeService", json::Value(strategy.active_service),
        "This rollout uses the same service for the active and preview services, but two different "
        "services are required.");
  const std::int32_t history = rollout.spec.revision_history_limit.value_or(kRevisionHistoryLimit);
  if (strategy.scale_down_delay_revision_limit &&
      history < *strategy.scale_down_delay_revision_limit)
    findings.invalid(path + ".scaleDownDelayRevisionLimit",
                     json::Value(*strategy.scale_down_delay_revision_limit),
                     "This rollout's revision history limit can not be smaller than the rollout's "
                     "scale down limit");
  validate_anti_affinity(strategy.anti_affinity, path + ".antiAffinity", findings);
}

void validate_strategy(const Rollout& rollout, Findings& findings) {
  const RolloutStrategy& strategy = rollout.spec.strategy;
  if (!strategy.blue_green && !strategy.canary) {
    findings.required(
        "spec.strategy",
        "Rollout has missing field '.spec.strategy.canary or .spec.strategy.blueGreen'");
  } else if (strategy.blue_green && strategy.canary) {
    findings.invalid("spec.strategy", "blueGreen: true canary: true",
                     "Multiple Strategies can not be listed");
  } else if (strategy.blue_green) {
    validate_blue_green(rollout, "spec.strategy.blueGreen", findings);
  } else {
    validate_canary(rollout, "spec.strategy.canary", findings);
  }
}

}  // namespace

std::int64_t RolloutPause::duration_seconds() const {
  if (!duration) return 0;
  if (!duration->is_text) return duration->number;
  std::int64_t seconds = 0;
  if (codec::parse_integer(duration->text, seconds)) return seconds;
  const Result<Duration> parsed = parse_duration(duration->text);
  return parsed ? std::chrono::duration_cast<std::chrono::seconds>(*parsed).count() : -1;
}

void validate_rollout(const Rollout& rollout, Findings& findings) {
  const RolloutSpec& spec = rollout.spec;
  not_negative(spec.replicas.value_or(kReplicas), "spec.replicas", findings);
  if (!spec.workload_ref) {
    validate_template(spec, findings);
  } else if (has_template_metadata(spec)) {
    findings.add({"InternalError",
                  "Internal error: template must be empty for workload reference rollout",
                  "spec.template"});
  }
  not_negative(spec.min_ready_seconds, "spec.minReadySeconds", findings);
  not_negative(spec.revision_history_limit.value_or(kRevisionHistoryLimit),
               "spec.revisionHistoryLimit", findings);
  const std::int32_t deadline = spec.progress_deadline_seconds.value_or(kProgressDeadlineSeconds);
  not_negative(deadline, "spec.progressDeadlineSeconds", findings);
  if (deadline <= spec.min_ready_seconds)
    findings.invalid("spec.progressDeadlineSeconds", json::Value(deadline),
                     "must be greater than minReadySeconds");
  validate_strategy(rollout, findings);
}

void validate_anti_affinity(const std::optional<AntiAffinity>& affinity, const std::string& path,
                            Findings& findings) {
  if (!affinity) return;
  const auto& preferred = affinity->preferred_during_scheduling_ignored_during_execution;
  const bool required = affinity->required_during_scheduling_ignored_during_execution.has_value();
  if (preferred.has_value() == required)
    findings.invalid(
        path,
        json::Value(fmt::format("antiAffinity.PreferredDuringSchedulingIgnoredDuringExecution: {0} "
                                "antiAffinity.RequiredDuringSchedulingIgnoredDuringExecution: {0}",
                                required)),
        "AntiAffinity must have exactly one strategy listed");
  if (preferred && (preferred->weight < 1 || preferred->weight > 100))
    findings.invalid(path + ".preferredDuringSchedulingIgnoredDuringExecution.weight",
                     json::Value(preferred->weight), "AntiAffinity weight must be between 1-100");
}

}  // namespace slipway::api::argo
