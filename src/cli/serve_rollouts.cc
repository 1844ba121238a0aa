#include "cli/serve_rollouts.h"

#include "api/kinds/argo_names.h"
#include "server/metric_text.h"

namespace slipway::cli {

namespace {

using experiment::ExperimentReconciler;
using server::MetricText;
using Done = std::map<store::Key, control::Tally::Done>;
using Facts = std::map<store::Key, KnownFacts<rollout::RolloutFacts>::Known>;

std::string phase_of(const json::Value& experiment) {
  const auto phase = json::string_at(experiment, {"status", "phase"});
  return std::string(phase.empty() ? "Pending" : phase);
}

void write_looks(MetricText& text, std::string_view kind, const Done& done) {
  const std::string name(kind);
  text.begin(name + "_reconcile", "histogram", "Seconds that looks at it took.");
  for (const auto& [key, of_object] : done)
    text.histogram({{"namespace", key.ns}, {"name", key.name}}, of_object.looks);
  text.begin(name + "_reconcile_error", "counter", "Looks at it that failed.");
  for (const auto& [key, of_object] : done)
    text.sample({{"namespace", key.ns}, {"name", key.name}},
                static_cast<double>(of_object.failures));
}

void write_replicas(MetricText& text, std::string_view which, std::string_view help,
                    const Facts& facts, std::int64_t rollout::RolloutFacts::* count) {
  text.begin("rollout_info_replicas_" + std::string(which), "gauge", help);
  for (const auto& [key, known] : facts)
    text.sample({{"namespace", key.ns}, {"name", key.name}},
                static_cast<double>(known.facts.*count));
}

void write_facts(MetricText& text, const Facts& facts) {
  using rollout::RolloutFacts;
  text.begin("rollout_info", "gauge", "1 for each Rollout, and how it is.");
  for (const auto& [key, known] : facts)
    text.sample({{"namespace", key.ns},
                 {"name", key.name},
                 {"strategy", known.facts.strategy},
                 {"traffic_router", known.facts.router},
                 {"phase", known.facts.phase}},
                1);
  write_replicas(text, "available", "Pods that are available.", facts, &RolloutFacts::available);
  write_replicas(text, "unavailable", "Pods that are not available.", facts,
                 &RolloutFacts::unavailable);
  write_replicas(text, "desired", "Pods that are wanted.", facts, &RolloutFacts::desired);
  write_replicas(text, "updated", "Pods of the newest version.", facts, &RolloutFacts::updated);
}

void write_events(MetricText& text, const Done& done) {
  text.begin("rollout_events_total", "counter", "Events about it, by type and reason.");
  for (const auto& [key, of_object] : done)
    for (const auto& [event, count] : of_object.events)
      text.sample({{"namespace", key.ns},
                   {"name", key.name},
                   {"type", event.kind == control::EventKind::kWarning ? "Warning" : "Normal"},
                   {"reason", event.reason}},
                  static_cast<double>(count));
}

void write_times(MetricText& text, const rollout::UpdateTimes& times) {
  using Times = rollout::UpdateTimes::Times;
  const auto write = [&](std::string_view name, std::string_view help,
                         control::Histogram Times::* which) {
    text.begin(name, "histogram", help);
    for (const auto& [end, of_end] : times.by_end())
      text.histogram({{"status", end}}, of_end.*which);
  };
  write("rollout_duration_seconds", "How long updates took, by how they ended.", &Times::all);
  write("rollout_progression_duration_seconds", "The same without the time people held them up.",
        &Times::progression);
  write("rollout_manual_pause_duration_seconds", "How long people held them up.",
        &Times::manual_pause);
}

}  // namespace

ServedRollouts::ServedRollouts(control::Manager& manager, Random& random)
    : manager_(manager),
      recorder_(manager.loop(), manager.store(), random, std::string(api::argo::kEventSource)),
      experiments_done_(manager.loop().clock()),
      rollouts_done_(manager.loop().clock()),
      experiments_(manager, recorder_),
      rollouts_(manager, recorder_),
      counted_experiments_(manager, ExperimentReconciler::kKind, experiments_, experiments_done_),
      counted_rollouts_(manager, rollout::kRollouts, rollouts_, rollouts_done_),
      experiment_phases_(phase_of),
      rollout_facts_(rollout::facts_of) {
  recorder_.on_record([this](const json::Object& about, control::EventKind kind,
                             const std::string& reason) {
    if (json::string_at(about, {"kind"}) == "Rollout")
      rollouts_done_.count_event(
          {std::string(api::namespace_of(about)), std::string(api::name_of(about))}, kind, reason);
  });
  manager.add(ExperimentReconciler::options(), counted_experiments_);
  manager.add(rollouts_.options(), counted_rollouts_);
}

void ServedRollouts::write_metrics(std::string& to) {
  MetricText text(to);
  write_facts(text, rollout_facts_.of(manager_.cache(rollout::kRollouts)));
  write_looks(text, "rollout", rollouts_done_.done());
  write_events(text, rollouts_done_.done());
  write_times(text, rollouts_.update_times());
  text.begin("experiment_info", "gauge", "1 for each Experiment, and its phase.");
  for (const auto& [key, known] :
       experiment_phases_.of(manager_.cache(ExperimentReconciler::kKind)))
    text.sample({{"namespace", key.ns}, {"name", key.name}, {"phase", known.facts}}, 1);
  write_looks(text, "experiment", experiments_done_.done());
}

}  // namespace slipway::cli
