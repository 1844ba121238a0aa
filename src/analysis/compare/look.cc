#include "analysis/compare/look.h"

#include "analysis/compare/judge_samples.h"
#include "analysis/compare/learn.h"
#include "analysis/compare/verdict.h"
#include "analysis/due.h"

namespace slipway::analysis {
namespace {

using api::argo::CompareSide;

// A comparison without an end looks at every tick so many times; then ever less often, each look a
// little longer than the last, so that its state stays small however long it runs.
constexpr int kFrequentLooks = 256;

bool waits_for_more(const Look& look, const metrics::Range& range) {
  const LookState& state = look.state;
  return !look.settings.planned && state.judge.look >= kFrequentLooks && state.first &&
         state.until && range.to - *state.until < (*state.until - *state.first) / kFrequentLooks;
}

// The newest point that a source asked for this range can have given.
Time last_of(const metrics::Range& range) {
  return range.from + (range.to - range.from) / range.step * range.step;
}

void remember(LookState& state, const metrics::Range& range, const Samples& samples) {
  if (!state.first) state.first = range.from;
  state.until = last_of(range);
  state.taken = newest(samples, state.taken);
}

Before before_of(const CompareSide& control, const LookInput& input, const HistoryWanted& wanted) {
  if (wanted.ranges.empty()) return {};
  const Duration step = wanted.ranges.front().step;
  if (wanted.exposure)
    return {.counted = counted_before(control, input, step),
            .step = std::chrono::duration<double>(step).count()};
  return {.control = series_of_history(input.control_history),
          .experiment = series_of_history(input.experiment_history),
          .step = std::chrono::duration<double>(step).count()};
}

}  // namespace

Looked failed_look(const api::argo::Metric& metric, const Error& error, Time started, Time now) {
  Outcome outcome = error_outcome(metric, error.text());
  return {.measurement = {.phase = std::string(outcome.phase),
                          .message = std::move(outcome.message),
                          .started_at = started,
                          .finished_at = now}};
}

Looked judge_look(const api::argo::AnalysisRun& run, std::size_t index, const LookInput& input,
                  Time started, Time now) {
  const api::argo::Metric& metric = run.spec.metrics[index];
  const auto* so_far = result_of(run, metric.name);
  const auto began = run.status && run.status->started_at ? *run.status->started_at : started;
  const metrics::Range range = look_range(metric, so_far, began, started);
  auto settings = settings_of(run.spec, index, range.step);
  if (!settings) return failed_look(metric, settings.error(), started, now);
  Look look{.run = run,
            .metric = index,
            .settings = *settings,
            .started = started,
            .now = now,
            .step = std::chrono::duration<double>(range.step).count(),
            .before = before_of(metric.provider.compare->control, input,
                                history_wanted(metric, so_far, range))};
  if (look.settings.accumulates() && so_far) {
    auto state = read_look_state(so_far->state);
    if (!state) return failed_look(metric, state.error(), started, now);
    look.state = std::move(*state);
    if (waits_for_more(look, range))
      return passed_over(started, now, "the next look is not due yet");
    if (look.state.until && last_of(range) <= *look.state.until)
      return without_new_point(std::move(look));
  }
  const auto& compare = *metric.provider.compare;
  const Samples samples = gather(compare, input, range, look.state.taken, wanted_by(look));
  remember(look.state, range, samples);
  return judge_samples(std::move(look), samples);
}

}  // namespace slipway::analysis
