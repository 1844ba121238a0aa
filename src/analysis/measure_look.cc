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

constexpr std::size_t kControlHistory = 4, kExperimentHistory = 5;

// One pair of sides as questions, in the order of LookInput's members.
class PairQuestions {
 public:
  struct Question {
    Asking asking;
    metrics::Query query;
    std::size_t slot = 0;
  };

  Result<> add(const CompareSide& control, const CompareSide& experiment,
               const metrics::Range& look, Duration interval) {
    SLIPWAY_TRY(add_side(control, look, interval, 0));
    return add_side(experiment, look, interval, 1);
  }
  // Of the same sides, from before the run.
  Result<> add_history(const api::argo::CompareMetric& compare, const HistoryWanted& wanted,
                       Duration interval) {
    for (const auto& [side, slot] : {std::pair(&compare.control, kControlHistory),
                                     std::pair(&compare.experiment, kExperimentHistory)}) {
      if (wanted.ranges.empty() || (slot == kExperimentHistory && !wanted.experiment)) continue;
      auto asking = asking_of(*side, interval);
      if (!asking) return std::unexpected(std::move(asking).error());
      if (!*asking) continue;
      for (const metrics::Range& range : wanted.ranges)
        questions.push_back({**asking, query_over(**asking, range), slot});
    }
    return {};
  }
  std::vector<Question> questions = {};

 private:
  Result<> add_side(const CompareSide& side, const metrics::Range& look, Duration interval,
                    std::size_t slot) {
    auto asking = asking_of(side, interval);
    if (!asking) return std::unexpected(std::move(asking).error());
    if (!*asking) return {};
    const metrics::Range range = side_range(side, look);
    questions.push_back({**asking, query_over(**asking, range), slot});
    if (side.exposure.empty()) return {};
    (*asking)->query = side.exposure;
    questions.push_back({**asking, query_over(**asking, range), slot + 2});
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
    const std::size_t slot = pair.questions[i].slot;
    // A source that has forgotten, or refuses so much, teaches nothing, and is no error. When we
    // are told to stop it was not asked, and the next start does.
    const bool may_lack = slot >= kControlHistory && !stop.stop_requested();
    if (!answers[i] && may_lack) continue;
    if (!answers[i]) co_return std::unexpected(std::move(answers[i]).error());
    Answer& answer = *answers[i];
    switch (slot) {
      case 0:
        input.control = std::move(answer);
        break;
      case 1:
        input.experiment = std::move(answer);
        break;
      case 2:
        input.control_exposure = std::move(answer);
        break;
      case 3:
        input.experiment_exposure = std::move(answer);
        break;
      case kControlHistory:
        input.control_history.push_back(std::move(answer));
        break;
      default:
        input.experiment_history.push_back(std::move(answer));
    }
  }
  co_return input;
}

Measured measured_of(Looked looked) {
  return {.measurement = std::move(looked.measurement), .state = std::move(looked.state)};
}

void show(const PairQuestions& pair, Measured& measured) {
  for (const auto& question : pair.questions) {
    if (question.slot >= kControlHistory) continue;  // the same queries
    const char* names[] = {"ResolvedControlQuery", "ResolvedExperimentQuery",
                           "ResolvedControlExposure", "ResolvedExperimentExposure"};
    measured.metadata[names[question.slot]] = question.asking.query;
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
