#include "cli/rollout_metrics.h"

#include "experiment/controller.h"
#include "rollout/controller.h"

namespace slipway::cli {

namespace {

using control::Tally;
using rollout::RolloutFacts;
using server::MetricText;
using After = std::optional<store::Key>;
constexpr std::size_t kInPart = RolloutMetrics::kObjectsInPart;

std::string phase_of(const json::Value& experiment) {
  const auto phase = json::string_at(experiment, {"status", "phase"});
  return std::string(phase.empty() ? "Pending" : phase);
}

const store::Key* pointer_to(const After& after) { return after ? &*after : nullptr; }

// Some of the objects about which something was done.
void walk(Tally& tally, After& after,
          const std::function<void(const store::Key&, const Tally::Done&)>& write) {
  const auto& done = tally.done();
  auto one = after ? done.upper_bound(*after) : done.begin();
  for (std::size_t count = 0; one != done.end() && count < kInPart; ++one, ++count) {
    write(one->first, one->second);
    after = one->first;
  }
  if (one == done.end()) after.reset();
}

void write_events(MetricText& text, const store::Key& key, const Tally::Done& done) {
  for (const auto& [event, count] : done.events)
    text.sample({{"namespace", key.ns},
                 {"name", key.name},
                 {"type", event.kind == control::EventKind::kWarning ? "Warning" : "Normal"},
                 {"reason", event.reason}},
                static_cast<double>(count));
}

void write_info(MetricText& text, const store::Key& key, const RolloutFacts& facts) {
  text.sample({{"namespace", key.ns},
               {"name", key.name},
               {"strategy", facts.strategy},
               {"traffic_router", facts.router},
               {"phase", facts.phase}},
              1);
}

}  // namespace

RolloutMetrics::RolloutMetrics(Sources sources)
    : sources_(sources), experiment_phases_(phase_of), rollout_facts_(rollout::facts_of) {
  add_facts();
  add_looks("rollout", sources_.rollouts_done);
  add_events();
  add_times();
  add_experiments();
  add_looks("experiment", sources_.experiments_done);
}

bool RolloutMetrics::write(Place& place, std::string& to) {
  const Family& family = families_.at(place.family);
  MetricText text(to);
  if (place.has_begun)
    text.go_on(family.name);
  else
    text.begin(family.name, family.type, family.help);
  family.write(text, place.after);
  place.has_begun = text.has_begun();
  if (!place.after) place = {.family = place.family + 1};
  return place.family < families_.size();
}

void RolloutMetrics::add_facts() {
  using WriteOne = std::function<void(MetricText&, const store::Key&, const RolloutFacts&)>;
  const auto add = [this](std::string name, std::string help, WriteOne write_one) {
    families_.push_back({std::move(name), "gauge", std::move(help),
                         [this, write_one = std::move(write_one)](MetricText& text, After& after) {
                           auto page =
                               rollout_facts_.after(pointer_to(after), kInPart,
                                                    sources_.manager.cache(rollout::kRollouts));
                           for (const auto* one : page.entries)
                             write_one(text, one->first, one->second.facts);
                           after = std::move(page.last);
                         }});
  };
  add("rollout_info", "1 for each Rollout, and how it is.", write_info);
  const auto add_count = [&](const std::string& which, std::string help,
                             std::int64_t RolloutFacts::* count) {
    add("rollout_info_replicas_" + which, std::move(help),
        [count](MetricText& text, const store::Key& key, const RolloutFacts& facts) {
          text.sample({{"namespace", key.ns}, {"name", key.name}},
                      static_cast<double>(facts.*count));
        });
  };
  add_count("available", "Pods that are available.", &RolloutFacts::available);
  add_count("unavailable", "Pods that are not available.", &RolloutFacts::unavailable);
  add_count("desired", "Pods that are wanted.", &RolloutFacts::desired);
  add_count("updated", "Pods of the newest version.", &RolloutFacts::updated);
}

void RolloutMetrics::add_looks(const std::string& kind, Tally& tally) {
  families_.push_back({kind + "_reconcile", "histogram", "Seconds that looks at it took.",
                       [&tally](MetricText& text, After& after) {
                         walk(tally, after, [&](const store::Key& key, const Tally::Done& done) {
                           text.histogram({{"namespace", key.ns}, {"name", key.name}}, done.looks);
                         });
                       }});
  families_.push_back({kind + "_reconcile_error", "counter", "Looks at it that failed.",
                       [&tally](MetricText& text, After& after) {
                         walk(tally, after, [&](const store::Key& key, const Tally::Done& done) {
                           text.sample({{"namespace", key.ns}, {"name", key.name}},
                                       static_cast<double>(done.failures));
                         });
                       }});
}

void RolloutMetrics::add_events() {
  families_.push_back({"rollout_events_total", "counter", "Events about it, by type and reason.",
                       [this](MetricText& text, After& after) {
                         walk(sources_.rollouts_done, after,
                              [&](const store::Key& key, const Tally::Done& done) {
                                write_events(text, key, done);
                              });
                       }});
}

void RolloutMetrics::add_times() {
  using Times = rollout::UpdateTimes::Times;
  const auto add = [this](std::string name, std::string help, control::Histogram Times::* which) {
    families_.push_back(
        {std::move(name), "histogram", std::move(help), [this, which](MetricText& text, After&) {
           for (const auto& [end, of_end] : sources_.update_times.by_end())
             text.histogram({{"status", end}}, of_end.*which);
         }});
  };
  add("rollout_duration_seconds", "How long updates took, by how they ended.", &Times::all);
  add("rollout_progression_duration_seconds", "The same without the time people held them up.",
      &Times::progression);
  add("rollout_manual_pause_duration_seconds", "How long people held them up.",
      &Times::manual_pause);
}

void RolloutMetrics::add_experiments() {
  families_.push_back({"experiment_info", "gauge", "1 for each Experiment, and its phase.",
                       [this](MetricText& text, After& after) {
                         auto page = experiment_phases_.after(
                             pointer_to(after), kInPart,
                             sources_.manager.cache(experiment::ExperimentReconciler::kKind));
                         for (const auto* one : page.entries)
                           text.sample({{"namespace", one->first.ns},
                                        {"name", one->first.name},
                                        {"phase", one->second.facts}},
                                       1);
                         after = std::move(page.last);
                       }});
}

}  // namespace slipway::cli
