#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "api/lint/lint_report.h"
#include "api/object.h"
#include "api/rules/argo_rules.h"
#include "api/rules/kind_rules.h"
#include "api/schema/codec_types.h"

// Argo's kinds beyond their form.
namespace slipway::api {

namespace {

using argo::is_templated;

// Each `{{ tag }}` of each text under `place`, with the place of the text.
using OnTag = std::function<void(const Place& text, std::string_view tag)>;
void each_tag(const Place& place, LintReport& report, const OnTag& on_tag) {
  for (const Place& item : place.items()) each_tag(item, report, on_tag);
  for (const std::string_view key : place.keys()) each_tag(place[key], report, on_tag);
  std::string_view text = place.text();
  for (std::size_t open = text.find("{{"); open != std::string_view::npos; open = text.find("{{")) {
    text.remove_prefix(open + 2);
    const std::size_t close = text.find("}}");
    if (close == std::string_view::npos) return report.error(place.path(), "\"{{\" without \"}}\"");
    std::string_view tag = text.substr(0, close);
    while (tag.starts_with(' ')) tag.remove_prefix(1);
    while (tag.ends_with(' ')) tag.remove_suffix(1);
    on_tag(place, tag);
    text.remove_prefix(close + 2);
  }
}

void lint_arguments(const Place& spec, const std::vector<argo::Argument>& args,
                    LintReport& report) {
  each_tag(spec["metrics"], report, [&](const Place& text, std::string_view tag) {
    if (!tag.starts_with("args.")) return;
    if (std::ranges::find(args, tag.substr(5), &argo::Argument::name) != args.end()) return;
    report.error(text.path(),
                 fmt::format("failed to resolve {{{{{}}}}}: spec.args does not declare it", tag));
  });
}

// A Job that restarts its Pods for ever is refused when the measurement starts.
void lint_jobs(const Place& metrics, LintReport& report) {
  for (const Place& metric : metrics.items()) {
    const Place pod = metric["provider"]["job"]["spec"]["template"]["spec"];
    const std::string_view policy = pod["restartPolicy"].text();
    if (pod.present() && (policy.empty() || policy == "Always"))
      report.error(pod["restartPolicy"].path(),
                   "Required value: valid values: \"OnFailure\", \"Never\"");
  }
}

template <class Spec>
void lint_metrics(const json::Object& object, const Spec& spec, bool whole, LintReport& report) {
  Findings findings;
  if (whole || !spec.metrics.empty())
    argo::validate_metrics(spec.metrics, "spec.metrics", findings);
  if (whole)
    argo::validate_name_rules(spec.metrics, spec.dry_run, spec.measurement_retention, findings);
  report.add(findings);
  if (whole) lint_arguments(Place::of(object, "spec"), spec.args, report);
  lint_jobs(Place::of(object, "spec")["metrics"], report);
}

template <class Analysis>
bool ends_by_itself(const GoDuration& duration, const std::vector<Analysis>& analyses) {
  return !duration.empty() || analyses.empty() ||
         std::ranges::any_of(
             analyses, [](const Analysis& analysis) { return analysis.required_for_completion; });
}
constexpr std::string_view kEndless =
    "without duration, an analysis that succeeds ends the experiment only when it is "
    "requiredForCompletion; none is";

void lint_references(const Place& spec, const argo::ExperimentSpec& experiment,
                     LintReport& report) {
  each_tag(spec["analyses"], report, [&](const Place& text, std::string_view tag) {
    bool known = tag == "experiment.availableAt" ||
                 (tag == "experiment.finishedAt" && !experiment.duration.empty());
    for (const argo::TemplateSpec& variant : experiment.templates)
      known = known || tag == fmt::format("templates.{}.podTemplateHash", variant.name) ||
              tag == fmt::format("templates.{}.replicaset.name", variant.name);
    if (!known) report.error(text.path(), fmt::format("failed to resolve {{{{{}}}}}", tag));
  });
}

// The ReplicaSet of each variant must be acceptable.
void lint_variants(const Place& spec, Findings& findings) {
  for (const Place& variant : spec["templates"].items()) {
    json::Value copy = variant.value();
    if (!copy.is_object() || !variant["selector"].present()) continue;
    json::Object* pod = existing_object(copy.get_object(), "template");
    pod = pod != nullptr ? member_object(*pod, "spec") : nullptr;
    if (pod == nullptr) continue;
    default_pod_spec(*pod);
    check_selector_and_template(Place(&copy, variant.path()), findings);
  }
}

void lint_experiment(const json::Object& object, LintReport& report) {
  Findings ignored;
  const auto experiment = decode_leniently<argo::Experiment>(object, {}, ignored);
  Findings findings;
  argo::validate_experiment(experiment, name_of(object), findings);
  report.add(findings);
  report.next_stage();
  Findings variants;
  lint_variants(Place::of(object, "spec"), variants);
  report.add(variants);
  lint_references(Place::of(object, "spec"), experiment.spec, report);
  if (!ends_by_itself(experiment.spec.duration, experiment.spec.analyses))
    report.warning("spec.analyses", std::string(kEndless));
}

// A number of seconds, or a text that Argo takes for less than none when it cannot read it.
void lint_pauses(const Place& steps, LintReport& report) {
  for (const Place& step : steps.items()) {
    const Place duration = step["pause"]["duration"];
    const std::string_view text = duration.text();
    std::int64_t seconds = 0;
    if (!duration.is_text() || codec::parse_integer(text, seconds) || parse_duration(text))
      continue;
    report.error(duration.path(),
                 fmt::format("\"{}\" is not a duration; write 10s, 5m or 1h", text));
  }
}

void lint_rollout(const json::Object& object, LintReport& report) {
  Findings ignored;
  const auto rollout = decode_leniently<argo::Rollout>(object, {}, ignored);
  lint_pauses(Place::of(object, "spec")["strategy"]["canary"]["steps"], report);
  report.next_stage();
  Findings findings;
  argo::validate_rollout(rollout, findings);
  report.add(findings);
  if (!rollout.spec.strategy.canary) return;
  const argo::CanaryStrategy& canary = *rollout.spec.strategy.canary;
  for (std::size_t i = 0; i < canary.steps.size(); ++i) {
    const auto& step = canary.steps[i].experiment;
    if (step && !ends_by_itself(step->duration, step->analyses))
      report.warning(fmt::format("spec.strategy.canary.steps[{}].experiment.analyses", i),
                     std::string(kEndless));
  }
  const auto& background = canary.analysis;
  if (background && background->starting_step &&
      (*background->starting_step < 0 ||
       static_cast<std::size_t>(*background->starting_step) >= canary.steps.size()))
    report.warning(
        "spec.strategy.canary.analysis.startingStep",
        fmt::format("there is no step {}; the analysis never starts", *background->starting_step));
}

}  // namespace

void lint_argo(const json::Object& object, LintReport& report) {
  const std::string kind = gvk_of(object).kind;
  Findings ignored;
  if (kind == "Rollout") return lint_rollout(object, report);
  if (kind == "Experiment") return lint_experiment(object, report);
  if (kind == "AnalysisRun")
    return lint_metrics(object, decode_leniently<argo::AnalysisRun>(object, {}, ignored).spec, true,
                        report);
  const auto spec = decode_leniently<argo::AnalysisTemplate>(object, {}, ignored).spec;
  // What a template refers to brings metrics and arguments of its own.
  lint_metrics(object, spec, spec.templates.empty(), report);
}

}  // namespace slipway::api
