// Comparisons and scores: both sides asked for the same range, side by side.
#include <fmt/format.h>

#include "analysis/compare/look.h"
#include "analysis/measure.h"
#include "analysis/run_rules.h"
#include "async/wait_all.h"

namespace slipway::analysis {

namespace {

using api::argo::AnalysisRun;
using api::argo::CompareSide;
using api::argo::Metric;
using metrics::Answer;

metrics::Range range_of(const AnalysisRun& run, const Metric& metric, Time now) {
  const auto started = run.status ? run.status->started_at : std::nullopt;
  return look_range(metric, result_of(run, metric.name), started.value_or(now), now);
}

// Which member of LookInput an answer is for.
enum class Part {
  kControl,
  kExperiment,
  kControlExposure,
  kExperimentExposure,
  kControlHistory,
  kExperimentHistory,
  kControlExposureHistory
};

bool is_history(Part part) {
  return part == Part::kControlHistory || part == Part::kExperimentHistory ||
         part == Part::kControlExposureHistory;
}

Part exposure_of(Part side) {
  return side == Part::kControl ? Part::kControlExposure : Part::kExperimentExposure;
}

std::string_view query_key(Part part) {
  switch (part) {
    case Part::kControl:
      return "ResolvedControlQuery";
    case Part::kExperiment:
      return "ResolvedExperimentQuery";
    case Part::kControlExposure:
      return "ResolvedControlExposure";
    case Part::kExperimentExposure:
      return "ResolvedExperimentExposure";
    case Part::kControlHistory:
    case Part::kExperimentHistory:
    case Part::kControlExposureHistory:
      return {};  // the queries of their sides
  }
  return {};
}

// One pair of sides as questions.
class PairQuestions {
 public:
  struct Question {
    Asking asking;
    metrics::Query query;
    Part part = Part::kControl;
  };

  Result<> add(const CompareSide& control, const CompareSide& experiment,
               const metrics::Range& look, Duration interval) {
    SLIPWAY_TRY(add_side(control, look, interval, Part::kControl));
    return add_side(experiment, look, interval, Part::kExperiment);
  }
  // Of the same sides, from before the run.
  Result<> add_history(const api::argo::CompareMetric& compare, const HistoryWanted& wanted,
                       Duration interval) {
    for (const auto& [side, part] : {std::pair(&compare.control, Part::kControlHistory),
                                     std::pair(&compare.experiment, Part::kExperimentHistory)}) {
      if (part == Part::kExperimentHistory && !wanted.experiment) continue;
      auto asking = asking_of(*side, interval);
      if (!asking) return std::unexpected(std::move(asking).error());
      if (!*asking) continue;
      add_ranges(**asking, wanted, part);
      if (part != Part::kControlHistory || !wanted.exposure) continue;
      (*asking)->query = side->exposure;
      add_ranges(**asking, wanted, Part::kControlExposureHistory);
    }
    return {};
  }
  std::vector<Question> questions = {};

 private:
  void add_ranges(const Asking& asking, const HistoryWanted& wanted, Part part) {
    for (const metrics::Range& range : wanted.ranges)
      questions.push_back({asking, query_over(asking, range), part});
  }

  Result<> add_side(const CompareSide& side, const metrics::Range& look, Duration interval,
                    Part part) {
    auto asking = asking_of(side, interval);
    if (!asking) return std::unexpected(std::move(asking).error());
    if (!*asking) return {};
    const metrics::Range range = side_range(side, look);
    questions.push_back({**asking, query_over(**asking, range), part});
    if (side.exposure.empty()) return {};
    (*asking)->query = side.exposure;
    questions.push_back({**asking, query_over(**asking, range), exposure_of(part)});
    return {};
  }
};

slipway::Task<Result<LookInput>> ask_pair(Loop& loop, SourceAsker& sources, PairQuestions pair,
                                          std::string ns, std::stop_token stop) {
  std::vector<slipway::Task<Result<Answer>>> asked;
  for (auto& question : pair.questions)
    asked.push_back(sources.ask(std::move(question.asking), std::move(question.query), ns, stop));
  auto answers = co_await wait_all(loop, std::move(asked));
  LookInput input;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Part part = pair.questions[i].part;
    // A source that has forgotten, or refuses so much, teaches nothing, and is no error. When we
    // are told to stop it was not asked, and the next start does.
    const bool may_lack = is_history(part) && !stop.stop_requested();
    if (!answers[i] && may_lack) continue;
    if (!answers[i]) co_return std::unexpected(std::move(answers[i]).error());
    Answer& answer = *answers[i];
    switch (part) {
      case Part::kControl:
        input.control = std::move(answer);
        break;
      case Part::kExperiment:
        input.experiment = std::move(answer);
        break;
      case Part::kControlExposure:
        input.control_exposure = std::move(answer);
        break;
      case Part::kExperimentExposure:
        input.experiment_exposure = std::move(answer);
        break;
      case Part::kControlHistory:
        input.control_history.push_back(std::move(answer));
        break;
      case Part::kExperimentHistory:
        input.experiment_history.push_back(std::move(answer));
        break;
      case Part::kControlExposureHistory:
        input.control_exposure_history.push_back(std::move(answer));
    }
  }
  co_return input;
}

Measured measured_of(Looked looked) {
  return {.measurement = std::move(looked.measurement), .state = std::move(looked.state)};
}

void show(const PairQuestions& pair, Measured& measured) {
  for (const auto& question : pair.questions) {
    const std::string_view key = query_key(question.part);
    if (!key.empty()) measured.metadata[std::string(key)] = question.asking.query;
  }
}

}  // namespace

slipway::Task<Measured> Measurer::look(Run run, Task task, std::stop_token stop) {
  const Metric& metric = run->spec.metrics[task.metric];
  const auto& compare = *metric.provider.compare;
  const Time started = now();
  PairQuestions pair;
  const metrics::Range range = range_of(*run, metric, started);
  auto added = pair.add(compare.control, compare.experiment, range, interval_of(metric));
  if (added)
    added = pair.add_history(compare, history_wanted(metric, result_of(*run, metric.name), range),
                             interval_of(metric));
  if (!added) co_return measured_of(failed_look(metric, added.error(), started, now()));
  Measured shown;
  show(pair, shown);
  auto input = co_await ask_pair(loop_, sources_, std::move(pair), namespace_of(*run), stop);
  Measured measured = measured_of(input ? judge_look(*run, task.metric, *input, started, now())
                                        : failed_look(metric, input.error(), started, now()));
  measured.metadata = std::move(shown.metadata);
  co_return measured;
}

slipway::Task<Measured> Measurer::score(Run run, Task task, std::stop_token stop) {
  const Metric& metric = run->spec.metrics[task.metric];
  const auto& score = *metric.provider.score;
  const Time started = now();
  const metrics::Range look = range_of(*run, metric, started);
  std::vector<slipway::Task<Result<LookInput>>> asked;
  for (const auto& pair : score.pairs) {
    PairQuestions questions;
    auto added = questions.add(pair.control, pair.experiment, look, interval_of(metric));
    if (!added) co_return measured_of(failed_look(metric, added.error(), started, now()));
    asked.push_back(ask_pair(loop_, sources_, std::move(questions), namespace_of(*run), stop));
  }
  auto answers = co_await wait_all(loop_, std::move(asked));
  std::vector<LookInput> inputs;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i]) {
      Error error = std::move(answers[i]).error();
      error.message = fmt::format("{}: {}", score.pairs[i].name, error.message);
      co_return measured_of(failed_look(metric, error, started, now()));
    }
    inputs.push_back(std::move(*answers[i]));
  }
  co_return measured_of(judge_score(*run, task.metric, inputs, started, now()));
}

}  // namespace slipway::analysis
