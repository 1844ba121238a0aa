#include "cli/demo/story.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/compare/samples.h"
#include "analysis/report/evidence.h"
#include "analysis/report/plain_text.h"
#include "api/kinds/argo_names.h"
#include "api/object.h"
#include "api/schema/codec.h"
#include "cli/rollout/health.h"
#include "rollout/status/pause.h"

namespace slipway::cli {

namespace {

using analysis::report::short_number;

bool serves_stable_alone(const api::argo::RolloutStatus& status) {
  const auto& weights = status.canary.weights;
  return !weights || (weights->canary.weight == 0 && weights->additional.empty());
}

double total(const judge::Series& series) {
  double sum = 0;
  for (const double value : series.values) sum += value;
  return sum;
}

std::string percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "-";
}

std::string times(double ratio) {
  if (!std::isfinite(ratio)) return "?";
  return fmt::format("×{}",
                     ratio < 10 ? fmt::format("{:.1f}", ratio) : fmt::format("{:.0f}", ratio));
}

// "×17 (×5.2 to ×61)"
std::string ratio_of(const Figures& figures) {
  if (!std::isfinite(figures.ratio)) return "-";
  std::string text = times(figures.ratio);
  if (std::isfinite(figures.low) || std::isfinite(figures.high))
    text += fmt::format(" ({} to {})", times(figures.low), times(figures.high));
  return text;
}

std::string_view word_of(Ending ending) {
  switch (ending) {
    case Ending::kPromoted:
      return "promoted";
    case Ending::kAborted:
      return "aborted";
    case Ending::kStopped:
      return "stopped";
    case Ending::kUnderWay:
      break;
  }
  return "not decided";
}

std::vector<std::string> row_of(const Told& told) {
  std::vector<std::string> row{told.version, std::string(word_of(told.ending))};
  if (told.figures) {
    const Figures& figures = *told.figures;
    row.insert(
        row.end(),
        {fmt::format("{} → {}", percent(figures.baseline_rate()), percent(figures.canary_rate())),
         ratio_of(figures), short_number(figures.p),
         fmt::format("{:.0f} + {:.0f}", figures.baseline_requests, figures.canary_requests),
         figures.planned ? fmt::format("{}/{}", figures.looks, *figures.planned)
                         : std::to_string(figures.looks)});
  } else {
    row.insert(row.end(), 5, "-");
  }
  row.push_back(fmt::format("{:.0f} s", std::chrono::duration<double>(told.took).count()));
  row.push_back(fmt::format("{} of {}", told.load.lost, told.load.lost + told.load.answers()));
  return row;
}

}  // namespace

Ending ending_of(const api::argo::Rollout& rollout) {
  const api::argo::RolloutStatus& status = rollout.status;
  const rollout::Phase health = health_of(rollout);
  if (health.phase == "Healthy" && status.stable_rs == status.current_pod_hash)
    return Ending::kPromoted;
  if (health.phase == "Degraded" && status.abort)
    return serves_stable_alone(status) ? Ending::kAborted : Ending::kUnderWay;
  const bool waits_for_somebody =
      std::ranges::any_of(status.pause_conditions, [](const auto& pause) {
        return pause.reason == rollout::kInconclusiveAnalysis ||
               pause.reason == rollout::kInconclusiveExperiment;
      });
  if (health.phase == "Degraded" || waits_for_somebody) return Ending::kStopped;
  return Ending::kUnderWay;
}

Figures figures_of(const api::argo::AnalysisRun& run) {
  Figures figures;
  const auto evidence = analysis::report::evidence_of(run);
  if (evidence.empty() || !run.status || run.status->metric_results.empty()) return figures;
  double shift_low = Figures::kUnknown, shift_high = Figures::kUnknown;  // of the rate
  figures.looks = evidence.front().taken;
  figures.planned = evidence.front().planned;
  for (const auto& look : evidence.front().looks) {
    if (!std::isfinite(look.p)) continue;
    figures.p = look.p;
    figures.ratio = look.ratio;
    shift_low = look.low, shift_high = look.high;
  }
  for (const auto& measurement : run.status->metric_results.front().measurements) {
    const auto samples = analysis::read_samples(measurement.samples.value);
    if (!samples) continue;  // a look without data has none
    figures.baseline_errors += total(samples->control.points);
    figures.baseline_requests += total(samples->control.exposure);
    figures.canary_errors += total(samples->experiment.points);
    figures.canary_requests += total(samples->experiment.exposure);
  }
  if (figures.baseline_errors > 0) {
    figures.low = 1 + shift_low / figures.baseline_rate();
    figures.high = 1 + shift_high / figures.baseline_rate();
  }
  return figures;
}

std::string figures_line(const Figures& figures) {
  return fmt::format(
      "look {}{}: {:.0f} of {:.0f} requests failed at the baseline, {:.0f} of {:.0f} "
      "at the canary (p {})",
      figures.looks, figures.planned ? fmt::format(" of {}", *figures.planned) : std::string(),
      figures.baseline_errors, figures.baseline_requests, figures.canary_errors,
      figures.canary_requests, short_number(figures.p));
}

std::optional<api::argo::AnalysisRun> analysis_of(const ShownRollout& rollout, const Grove& grove) {
  for (const json::Value* experiment : controlled_by(rollout.document, grove.experiments)) {
    if (json::string_at(*experiment, {"metadata", "labels", api::argo::kHashLabel}) !=
        rollout.view.status.current_pod_hash)
      continue;
    for (const json::Value* run : controlled_by(*experiment, grove.runs))
      if (auto view = api::decode<api::argo::AnalysisRun>(*run)) return std::move(*view);
  }
  return std::nullopt;
}

std::vector<std::vector<std::string>> story_table(const std::vector<Told>& all) {
  std::vector<std::vector<std::string>> rows{
      {"VERSION", "VERDICT", "ERRORS", "RATIO", "P", "REQUESTS", "LOOKS", "TOOK", "LOST"}};
  for (const Told& told : all) rows.push_back(row_of(told));
  return rows;
}

std::string what_went_wrong(const std::vector<Told>& all) {
  for (const Told& told : all)
    if (told.ending != told.wanted)
      return fmt::format("{} was to be {} but was {}{}{}", told.version, word_of(told.wanted),
                         word_of(told.ending), told.message.empty() ? "" : ": ", told.message);
  return {};
}

std::string traffic_line(const LoadCounts& counts, Duration during) {
  const double seconds = std::max(0.001, std::chrono::duration<double>(during).count());
  std::string text =
      fmt::format("{:.0f} requests a second", static_cast<double>(counts.answers()) / seconds);
  for (const auto& [name, version] : counts.versions) {
    text += fmt::format(
        ", {} {:.0f} %", name,
        100.0 * static_cast<double>(version.answers) / static_cast<double>(counts.answers()));
    if (version.errors > 0) text += fmt::format(" ({} failed)", version.errors);
  }
  return text + fmt::format(", {} lost", counts.lost);
}

}  // namespace slipway::cli
