#include "analysis/compare/learn.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/compare/look.h"
#include "analysis/compare/placebo.h"
#include "analysis/run_rules.h"
#include "judge/sequential/tau.h"

namespace slipway::analysis {
namespace {

// Runs are late by what their evaluations take: the season is kept for so many times their length.
constexpr double kLateness = 2;

double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }
double seconds(const api::GoDuration& text) {
  return text.empty() ? 0 : seconds(text.value().value_or(Duration{}));
}

std::string in_hours(double seconds) { return fmt::format("{:.3g} h", seconds / 3600); }

double span_of(const judge::Series& series) {
  return series.times.empty() ? 0 : series.times.back() - series.times.front();
}

// Runs enough for the rate to be told apart from none.
std::size_t runs_for(double alpha) {
  return static_cast<std::size_t>(
      std::clamp(2 / alpha, 199.0, static_cast<double>(judge::kMaxPlacebos)));
}

// The same hour of the same weekday, at most a week back but clear of the run itself.
double within_a_week(double offset, double length) {
  const double rest = std::fmod(offset, judge::kWeekSeconds);
  return rest > length ? rest : rest + judge::kWeekSeconds;
}

struct History {
  judge::Series points = {};
  double stretch = 1;  // its steps, in those of a look
};

// What was asked for, or else recorded.
History history_of(const Look& look) {
  const auto& recorded = look.asked().provider.compare->control.recorded;
  History known{.points = recorded ? read_series(recorded->points.value) : judge::Series{}};
  if (span_of(look.before.control) <= span_of(known.points)) return known;
  return {.points = look.before.control,
          .stretch = look.step > 0 ? look.before.step / look.step : 1};
}

double look_length(const Look& look) {
  const double said = seconds(look.asked().provider.compare->window);
  return said > 0 ? said : seconds(interval_of(look.asked()));
}

// As many points a look as the run has: those of a history with longer steps take longer.
judge::PlaceboPlan placebos_of(const Look& look, const judge::Plan& plan, double stretch) {
  const auto& compare = *look.asked().provider.compare;
  const double length = look_length(look);
  return {.offset = seconds(compare.control.ago),
          .look = length * stretch,
          .lead = seconds(look_step(look.asked())) * stretch,
          .looks = plan.planned_looks,
          .runs = runs_for(plan.alpha)};
}

Result<Placebos> run_placebos(const judge::Plan& plan, const judge::Series& history,
                              judge::PlaceboPlan placebos) {
  auto found = judge::calibrate(plan, history, placebos);
  if (!found && placebos.offset > judge::kWeekSeconds) {
    placebos.offset = within_a_week(placebos.offset, placebos.look * placebos.looks);
    found = judge::calibrate(plan, history, placebos);
  }
  if (!found) return std::unexpected(std::move(found).error());
  return Placebos{.runs = found->peaks.size(),
                  .limit = placebo_limit(*found, plan.alpha),
                  .plan = judge::fingerprint(plan)};
}

// Both sides by the clock of the experiment, as samples are.
std::optional<judge::Season> season_of_run(const judge::Series& history, double first, double ago,
                                           double length) {
  auto season = judge::season_of(history, first - ago, first, length);
  if (!season && ago > judge::kWeekSeconds)
    season = judge::season_of(history, first - within_a_week(ago, length), first, length);
  if (season) season->control.from = first;
  return season;
}

// False when the history has no room for it, and nothing is noted.
bool learn_season(Look& look, judge::Plan plan, const History& history, const Samples& samples) {
  if (!look.settings.planned) return false;
  const judge::PlaceboPlan placebos = placebos_of(look, plan, history.stretch);
  const double ago = seconds(look.asked().provider.compare->control.ago);
  const auto& times = samples.experiment.points.times;
  const double first = look.state.first ? seconds(look.state.first->time_since_epoch())
                       : times.empty()  ? 0
                                        : times.front();
  const double length = kLateness * placebos.look / history.stretch * placebos.looks;
  const auto season = season_of_run(history.points, first, ago, length);
  const auto residuals = judge::without_season(history.points, history.points);
  if (!season || !residuals) return false;
  std::optional<double> tau;
  // What is left of a season is the placebos' business: the usual is never quite known, and its
  // error would pass for autocorrelation.
  if (history.stretch == 1)
    tau = judge::tau_with_history(plan.tau, judge::without_level(history.points).values);
  plan.tau = tau.value_or(plan.tau);
  auto found = run_placebos(plan, *residuals, placebos);
  if (!found) return false;
  look.state.tau = tau;
  look.state.season = season;
  look.state.placebos = std::move(*found);
  return true;
}

void learn_of_another_time(Look& look, const judge::Plan& plan, const Samples& samples) {
  LookState& state = look.state;
  if (plan.engine != judge::Engine::kStratifiedRank) {
    state.uncalibrated = "stratified-rank is the only method that can be";
    return;
  }
  const History history = history_of(look);
  if (const double span = span_of(history.points); span < judge::kWeekSeconds) {
    const bool counted = !look.asked().provider.compare->control.exposure.empty();
    state.uncalibrated = counted
                             ? "the past of sides with an exposure is not asked for"
                             : fmt::format("the record spans {}, a week is needed", in_hours(span));
    return;
  }
  if (learn_season(look, plan, history, samples)) return;
  auto found = run_placebos(plan, history.points, placebos_of(look, plan, history.stretch));
  if (found) {
    state.placebos = std::move(*found);
  } else {
    state.uncalibrated = found.error().message;
  }
}

void learn_of_counts(Look& look, const judge::Plan& plan) {
  if (look.before.step <= 0) return;
  const double steps =
      std::clamp(look_length(look) / look.before.step, 1.0, static_cast<double>(kPairedHistory));
  const double tau =
      judge::tau_with_counts(plan.tau, look.before.counted, static_cast<std::size_t>(steps));
  if (tau > plan.tau) look.state.tau = tau;
}

void learn_of_one_time(Look& look, const judge::Plan& plan) {
  if (plan.engine == judge::Engine::kCounts) return learn_of_counts(look, plan);
  if (plan.engine != judge::Engine::kSignedRank && plan.engine != judge::Engine::kStratifiedRank)
    return;
  const judge::Evidence pairs = judge::pair_up(look.before.control, look.before.experiment);
  std::vector<double> differences;
  for (std::size_t i = 0; i < pairs.control.points.size(); ++i)
    differences.push_back(pairs.experiment.points[i] - pairs.control.points[i]);
  if (const double tau = judge::tau_with_history(plan.tau, differences); tau > plan.tau)
    look.state.tau = tau;
}

}  // namespace

judge::Plan plan_with_learned(const Look& look, judge::Engine engine) {
  judge::Plan plan = plan_for(look.settings, engine);
  plan.tau = std::max(plan.tau, look.state.tau.value_or(1));
  return plan;
}

void learn(Look& look, judge::Engine engine, const Samples& samples) {
  LookState& state = look.state;
  const judge::Plan plan = plan_with_learned(look, engine);
  if (state.placebos && !state.placebos->plan.empty() &&
      state.placebos->plan != judge::fingerprint(plan)) {
    state.placebos.reset();
    state.uncalibrated = "the recorded run was calibrated for another plan";
  }
  // The plan of the first look is that of all.
  if (state.judge.look > 0 || state.has_learned()) return;
  if (seconds(look.asked().provider.compare->control.ago) > 0) {
    learn_of_another_time(look, plan, samples);
  } else {
    learn_of_one_time(look, plan);
  }
}

Samples without_season(const Look& look, const Samples& samples) {
  const auto& season = look.state.season;
  if (!season || samples.material != judge::Material::kSeries) return samples;
  Samples adjusted = samples;
  adjusted.control.points =
      judge::without_usual(samples.control.points, season->control, season->baseline);
  adjusted.experiment.points =
      judge::without_usual(samples.experiment.points, season->experiment, season->baseline);
  return adjusted;
}

judge::Series series_of_history(std::span<const metrics::Answer> answers) {
  std::vector<judge::Series> all;
  for (const metrics::Answer& answer : answers)
    for (const metrics::Series& one : answer.series) {
      judge::Series series;
      for (const metrics::Point& point : one.points) {
        if (std::isnan(point.value)) continue;
        series.times.push_back(seconds(point.time.time_since_epoch()));
        series.values.push_back(point.value);
      }
      all.push_back(std::move(series));
    }
  return judge::mean_by_time(all);
}

}  // namespace slipway::analysis
