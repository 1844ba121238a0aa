#include "judge/season.h"

#include <algorithm>
#include <cmath>

namespace slipway::judge {
namespace {

constexpr int kMaxWeeks = 4;
constexpr double kNeighbourhood = 1800;
constexpr double kUsualStep = 900;

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(values.begin(), middle) + *middle) / 2;
}

double usual_at(double time, const Series& history) {
  std::vector<double> around;
  for (int week = 1; week <= kMaxWeeks; ++week) {
    const double then = time - week * kWeekSeconds;
    for (double value : values_between(history, then - kNeighbourhood, then + kNeighbourhood)) {
      if (!std::isnan(value)) around.push_back(value);
    }
  }
  return around.empty() ? std::nan("") : median(around);
}

Usual table_of(const Series& history, double from, double length, double step) {
  Usual usual{.from = from, .step = step};
  const double wanted = std::isfinite(length / step) ? std::max(0.0, std::ceil(length / step)) : 0;
  const auto steps = static_cast<std::size_t>(wanted);
  for (std::size_t i = 0; i <= steps; ++i)
    usual.values.push_back(usual_at(from + static_cast<double>(i) * step, history));
  return usual;
}

bool spans_a_week(const Series& history) {
  return history.times.size() >= 2 && history.times.size() <= kMaxHistoryPoints &&
         history.times.back() - history.times.front() >= kWeekSeconds;
}

bool positive(const Series& series) {
  return std::ranges::all_of(series.values, [](double v) { return std::isnan(v) || v > 0; });
}

std::optional<Baseline> baseline_of(const Series& history) {
  std::vector<double> known;
  for (double value : history.values) {
    if (!std::isnan(value)) known.push_back(value);
  }
  if (known.empty()) return std::nullopt;
  return Baseline{.ratios = positive(history), .middle = median(known)};
}

bool has_gap(const Usual& usual) {
  return std::ranges::any_of(usual.values, [](double value) { return !std::isfinite(value); });
}

}  // namespace

double Usual::at(double time) const {
  if (values.empty() || !(step > 0)) return std::nan("");
  const double last = static_cast<double>(values.size() - 1);
  const double place = std::clamp((time - from) / step, 0.0, last);
  const auto below = static_cast<std::size_t>(place);
  const double part = place - static_cast<double>(below);
  if (part == 0) return values[below];
  return values[below] + part * (values[below + 1] - values[below]);
}

std::optional<Season> season_of(const Series& history, double control, double experiment,
                                double length) {
  if (!spans_a_week(history) || !(length >= 0) || length > kWeekSeconds) return std::nullopt;
  const auto baseline = baseline_of(history);
  if (!baseline) return std::nullopt;
  const double step = std::max(kUsualStep, length / static_cast<double>(kMaxUsual - 2));
  Season season{.baseline = *baseline,
                .control = table_of(history, control, length, step),
                .experiment = table_of(history, experiment, length, step)};
  if (has_gap(season.control) || has_gap(season.experiment)) return std::nullopt;
  return season;
}

Series without_usual(const Series& series, const Usual& usual, const Baseline& baseline) {
  Series adjusted;
  for (std::size_t i = 0; i < series.times.size(); ++i) {
    const double there = usual.at(series.times[i]);
    if (std::isnan(there)) continue;
    const double value = series.values[i];
    adjusted.times.push_back(series.times[i]);
    adjusted.values.push_back(baseline.ratios ? value / there * baseline.middle : value - there);
  }
  return adjusted;
}

std::optional<Series> without_season(const Series& series, const Series& history) {
  if (!spans_a_week(history)) return std::nullopt;
  auto baseline = baseline_of(history);
  if (!baseline) return std::nullopt;
  if (series.times.empty()) return Series{};
  baseline->ratios = baseline->ratios && positive(series);
  const double length = series.times.back() - series.times.front();
  const Usual usual =
      table_of(history, series.times.front(), length,
               std::max(kUsualStep, length / static_cast<double>(kMaxHistoryPoints)));
  return without_usual(series, usual, *baseline);
}

Series without_level(const Series& series) {
  Series left;
  double sum = 0;
  std::size_t begin = 0, end = 0;
  for (std::size_t i = 0; i < series.times.size(); ++i) {
    const double time = series.times[i];
    for (; end < series.times.size() && series.times[end] <= time + kNeighbourhood; ++end)
      sum += std::isnan(series.values[end]) ? 0 : series.values[end];
    for (; begin < i && series.times[begin] < time - kNeighbourhood; ++begin)
      sum -= std::isnan(series.values[begin]) ? 0 : series.values[begin];
    left.times.push_back(time);
    left.values.push_back(series.values[i] - sum / static_cast<double>(std::max(end - begin, 1UL)));
  }
  return left;
}

std::span<const double> values_between(const Series& series, double from, double to) {
  const auto begin = std::ranges::lower_bound(series.times, from) - series.times.begin();
  const auto end = std::ranges::lower_bound(series.times, to) - series.times.begin();
  return std::span(series.values)
      .subspan(static_cast<std::size_t>(begin),
               static_cast<std::size_t>(std::max(end - begin, 0L)));
}

}  // namespace slipway::judge
