#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/argo_rollout.h"
#include "api/rules/validate.h"

// What Argo's controllers refuse although the API server took it: the rules behind the InvalidSpec
// condition and a run's `Analysis spec invalid`. Pure, in upstream's words and order; a controller
// shows the first finding, lint shows all.
//
// Texts that still hold `{{args.x}}` are not judged.
namespace slipway::api::argo {

// Findings carry the real path (spec.strategy.canary.steps[0].setWeight).
void validate_rollout(const Rollout& rollout, Findings& findings);
void validate_canary(const Rollout& rollout, const std::string& path, Findings& findings);
void validate_step(const CanaryStrategy& canary, const CanaryStep& step, const std::string& path,
                   Findings& findings);
void validate_anti_affinity(const std::optional<AntiAffinity>& affinity, const std::string& path,
                            Findings& findings);

json::Value as_written(const IntOrString& value);

void not_negative(const std::optional<std::int32_t>& number, std::string path, Findings& findings);
// A number or a percentage, with or without its sign, not below 0. False: it is neither.
bool validate_amount(const std::optional<IntOrString>& amount, const std::string& path,
                     Findings& findings);

// Whether a plugin routes, or what is one for Argo and built in here.
inline bool has_plugin_router(const RolloutTrafficRouting& routing) {
  return routing.gateway_api || !routing.plugins.empty();
}

// `name` is the Experiment's, for the messages. Messages come without "Invalid value".
void validate_experiment(const Experiment& experiment, std::string_view name, Findings& findings);

// The metrics of a template or run at `path` (spec.metrics). Messages come without the `metrics[i]:
// ` that upstream puts before them: that is the path.
void validate_metrics(const std::vector<Metric>& metrics, const std::string& path,
                      Findings& findings);

// Rules for metrics by name (dryRun, measurementRetention) must each match one: regular
// expressions, anywhere in the name.
void validate_name_rules(const std::vector<Metric>& metrics, const std::vector<DryRun>& dry_run,
                         const std::vector<MeasurementRetention>& retention, Findings& findings);

// Whether a text waits for arguments.
inline bool is_templated(std::string_view text) {
  return text.find("{{") != std::string_view::npos;
}

}  // namespace slipway::api::argo
