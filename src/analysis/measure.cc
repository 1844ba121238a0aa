#include "analysis/measure.h"

#include <fmt/format.h>

#include "analysis/long_provider.h"
#include "analysis/phase.h"
#include "analysis/run_rules.h"
#include "analysis/value.h"
#include "async/wait_all.h"
#include "base/utf8.h"
#include "metrics/redact.h"

namespace slipway::analysis {

namespace {

using api::argo::AnalysisRun;
using api::argo::Measurement;
using api::argo::Metric;
using api::argo::MetricResult;

constexpr std::string_view kEllipsis = "…";

// At most `most` bytes, whole characters, and a sign that there was more.
void shorten(std::string& text, std::size_t most) {
  if (text.size() <= most) return;
  std::size_t kept = 0;
  while (const std::size_t length = utf8::length_of_first(std::string_view(text).substr(kept))) {
    if (kept + length + kEllipsis.size() > most) break;
    kept += length;
  }
  text.resize(kept);
  text += kEllipsis;
}

// Sources may say anything of any length; what is written down fits an object.
void bound(Measured& measured) {
  shorten(measured.measurement.message, Measurer::kMaxMessage);
  shorten(measured.measurement.value, Measurer::kMaxValue);
  for (auto& [name, value] : measured.measurement.metadata) shorten(value, Measurer::kMaxValue);
  for (auto& [name, value] : measured.metadata) shorten(value, Measurer::kMaxValue);
}

Measurement last_of(const AnalysisRun& run, const Metric& metric) {
  const MetricResult* result = result_of(run, metric.name);
  return result && !result->measurements.empty() ? result->measurements.back() : Measurement{};
}

}  // namespace

Measurer::Measurer(Loop& loop, store::Store& store, OpenProvider open, MeasurerOptions options,
                   LongProviders long_providers)
    : loop_(loop),
      sources_(loop, store, std::move(open), std::move(options)),
      long_(long_providers) {}

Time Measurer::now() const { return std::chrono::floor<std::chrono::seconds>(loop_.clock().now()); }

LongProvider* Measurer::long_provider_of(const Metric& metric) const {
  if (metric.provider.job) return long_.job;
  return metric.provider.kayenta ? long_.kayenta : nullptr;
}

slipway::Task<std::vector<Measured>> Measurer::measure(Run run, std::vector<Task> tasks,
                                                       std::stop_token stop) {
  const Duration began = loop_.clock().uptime();
  std::vector<Measured> all;
  if (tasks.size() == 1) {
    all.push_back(co_await take(run, tasks.front(), stop));
  } else {
    std::vector<slipway::Task<Measured>> side_by_side;
    for (const Task& task : tasks) side_by_side.push_back(take(run, task, stop));
    all = co_await wait_all(loop_, std::move(side_by_side));
  }
  // What was under way when we were told to stop is not what the source said.
  if (stop.stop_requested())
    std::erase_if(all, [](const Measured& m) { return m.measurement.phase == kError; });
  const std::chrono::duration<double> took = loop_.clock().uptime() - began;
  for (Measured& measured : all) {
    bound(measured);
    if (!is_completed(measured.measurement.phase)) continue;
    ++stats_.finished[measured.measurement.phase];
    stats_.seconds += took.count();
  }
  co_return all;
}

slipway::Task<Measured> Measurer::take(Run run, Task task, std::stop_token stop) {
  const Metric& metric = run->spec.metrics[task.metric];
  Measured measured;
  if (metric.provider.job || metric.provider.kayenta) {
    LongProvider* provider = long_provider_of(metric);
    if (provider) {
      measured = co_await ask_long(*provider, run, task, stop);
    } else {
      const std::string_view what = metric.provider.job ? "job" : "kayenta";
      measured.measurement = failed_measurement(
          metric, fmt::format("provider.{} is not at hand here", what), now(), now());
    }
  } else if (task.kind == Task::Kind::kTerminate) {
    // Nothing of ours is under way: whoever began it did not say what.
    measured.measurement = terminated(last_of(*run, metric), now());
  } else if (metric.provider.compare) {
    measured = co_await look(run, task, stop);
  } else if (metric.provider.score) {
    measured = co_await score(run, task, stop);
  } else {
    measured = co_await ask_plain(run, task, stop);
  }
  measured.metric = task.metric;
  measured.continues = task.kind != Task::Kind::kMeasure;
  co_return measured;
}

slipway::Task<Measured> Measurer::ask_plain(Run run, Task task, std::stop_token stop) {
  const Metric& metric = run->spec.metrics[task.metric];
  const Time started = now();
  Measured measured;
  auto asking = asking_of(metric.provider, interval_of(metric));
  if (!asking) {
    measured.measurement = failed_measurement(metric, asking.error().text(), started, now());
    co_return measured;
  }
  if (!asking->shown_as.empty()) measured.metadata[asking->shown_as] = asking->query;
  auto query = query_of(*asking, loop_.clock().now());
  if (!query) {
    measured.measurement = failed_measurement(metric, query.error().text(), started, now());
    co_return measured;
  }
  std::vector<std::string> secrets;
  const auto answer =
      co_await sources_.ask(*asking, std::move(*query), namespace_of(*run), stop, &secrets);
  measured.measurement = judge_value(metric, *asking, answer, started, now());
  // Conditions see what the source said; what is written down does not echo how we signed in.
  if (answer && (answer->document || answer->text))
    measured.measurement.value = metrics::redacted(std::move(measured.measurement.value), secrets);
  co_return measured;
}

slipway::Task<Measured> Measurer::ask_long(LongProvider& provider, Run run, Task task,
                                           std::stop_token stop) {
  const Metric& metric = run->spec.metrics[task.metric];
  Measured measured;
  auto& measurement = measured.measurement;
  switch (task.kind) {
    case Task::Kind::kMeasure:
      measurement = co_await provider.start(*run, task.metric, stop);
      break;
    case Task::Kind::kResume:
      measurement = co_await provider.resume(*run, task.metric, last_of(*run, metric), stop);
      break;
    case Task::Kind::kTerminate:
      measurement = co_await provider.terminate(*run, task.metric, last_of(*run, metric), stop);
      if (measurement.phase == kSuccessful || measurement.phase == kInconclusive)
        measurement.message = "Metric Terminated";
      break;
  }
  if (is_completed(measurement.phase)) measurement.resume_at.reset();
  if (measurement.phase == kError && metric.check && metric.check->errors_fail)
    measurement.phase = kFailed;
  co_return measured;
}

slipway::Task<> Measurer::collect(Run run, Kept kept, std::stop_token stop) {
  bool jobs = false;
  for (const Metric& metric : run->spec.metrics) jobs = jobs || metric.provider.job;
  if (jobs && long_.job) (void)co_await long_.job->collect(*run, std::move(kept), stop);
}

}  // namespace slipway::analysis
