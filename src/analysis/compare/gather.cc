#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "analysis/compare/samples.h"
#include "analysis/compare/settings.h"

// From what sources answered to the points of a look.
namespace slipway::analysis {
namespace {

using api::argo::CompareMetric;
using api::argo::CompareSide;
using judge::Material;
using judge::Series;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double seconds(Time time) { return std::chrono::duration<double>(time.time_since_epoch()).count(); }
double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }
Duration ago_of(const CompareSide& side) {
  return side.ago.empty() ? Duration{} : side.ago.value().value_or(Duration{});
}

struct Labelled {
  double upper = std::numeric_limits<double>::quiet_NaN();  // of a histogram's bucket
  Series series = {};
};
using SideSeries = std::vector<Labelled>;

double upper_end(const metrics::Labels& labels) {
  for (const auto& [name, text] : labels) {
    if (name != "le") continue;
    if (text == "+Inf" || text == "Inf") return kInfinity;
    double upper = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), upper);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size()) return upper;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

// Sources that give documents: a number is the value at the end of the look, a list those of the
// last steps.
Series points_of_document(const json::Value& document, const metrics::Range& look) {
  Series series;
  if (const auto number = number_in(document)) return {{seconds(look.to)}, {*number}};
  if (!document.is_array()) return series;
  const json::Array& list = document.get_array();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto number = number_in(list[i]);
    if (!number) continue;
    series.times.push_back(seconds(look.to) -
                           static_cast<double>(list.size() - 1 - i) * seconds(look.step));
    series.values.push_back(*number);
  }
  return series;
}

// Points after `taken`, without what is missing, moved by `shift`.
SideSeries series_of(const metrics::Answer& answer, const metrics::Range& look, double shift,
                     double taken) {
  SideSeries found;
  for (const metrics::Series& one : answer.series) {
    Labelled labelled{.upper = upper_end(one.labels)};
    for (const metrics::Point& point : one.points) {
      const double time = std::round((seconds(point.time) + shift) * 1000) / 1000;
      if (time <= taken || std::isnan(point.value)) continue;
      labelled.series.times.push_back(time);
      labelled.series.values.push_back(point.value);
    }
    found.push_back(std::move(labelled));
  }
  if (found.empty() && answer.document)
    found.push_back({.series = points_of_document(*answer.document, look)});
  return found;
}

void keep_newest(Series& series) {
  if (series.times.size() <= kMaxSamples) return;
  const auto over = static_cast<std::ptrdiff_t>(series.times.size() - kMaxSamples);
  series.times.erase(series.times.begin(), series.times.begin() + over);
  series.values.erase(series.values.begin(), series.values.begin() + over);
}

Series combined(const SideSeries& several, Combine combine) {
  std::vector<Series> all;
  for (const Labelled& one : several) all.push_back(one.series);
  Series series;
  if (combine == Combine::kMean) {
    series = judge::mean_by_time(all);
  } else {
    for (const Series& one : all) {
      series.times.insert(series.times.end(), one.times.begin(), one.times.end());
      series.values.insert(series.values.end(), one.values.begin(), one.values.end());
    }
  }
  keep_newest(series);
  return series;
}

Series summed(const SideSeries& several, double factor) {
  std::map<double, double> by_time;
  for (const Labelled& one : several)
    for (std::size_t i = 0; i < one.series.times.size(); ++i)
      by_time[one.series.times[i]] += factor * one.series.values[i];
  Series series;
  for (const auto& [time, sum] : by_time) {
    series.times.push_back(time);
    series.values.push_back(sum);
  }
  return series;
}

Series newest_of(Series series) {
  keep_newest(series);
  return series;
}

// A histogram counts what is up to each end; a bucket's own are those of no smaller end. What
// extrapolation turns round counts as none.
std::vector<judge::Bucket> buckets_of(const SideSeries& several, double factor) {
  std::map<double, double> up_to;
  for (const Labelled& one : several)
    for (double value : one.series.values)
      if (!std::isnan(one.upper)) up_to[one.upper] += factor * value;
  std::vector<judge::Bucket> buckets;
  double below = 0;
  for (const auto& [upper, count] : up_to) {
    buckets.push_back({.upper = upper, .count = std::max(0.0, count - below)});
    below = std::max(below, count);
  }
  return buckets;
}

// At a time; where there is none there were none.
double events_at(const Series& events, double time) {
  const auto at = std::ranges::lower_bound(events.times, time);
  if (at == events.times.end() || *at != time) return 0;
  return events.values[static_cast<std::size_t>(at - events.times.begin())];
}

// Events over exposure at each time that has one.
Series ratios(const Series& events, const Series& exposure) {
  Series series;
  for (std::size_t i = 0; i < exposure.times.size(); ++i) {
    if (!(exposure.values[i] > 0)) continue;
    series.times.push_back(exposure.times[i]);
    series.values.push_back(events_at(events, exposure.times[i]) / exposure.values[i]);
  }
  return series;
}

// All answers as one: they are of ranges one after the other.
SideSeries series_of_all(std::span<const metrics::Answer> answers) {
  constexpr double kAll = -kInfinity;
  SideSeries all;
  for (const metrics::Answer& answer : answers)
    for (Labelled& one : series_of(answer, {}, 0, kAll)) all.push_back(std::move(one));
  return all;
}

Series recorded_in(const CompareSide& side, const metrics::Range& look, double shift,
                   double taken) {
  Series found;
  if (!side.recorded) return found;
  const Series all = read_series(side.recorded->points.value);
  for (std::size_t i = 0; i < all.times.size(); ++i) {
    const double time = all.times[i] + shift;
    if (time <= taken || time < seconds(look.from) || time > seconds(look.to)) continue;
    found.times.push_back(time);
    found.values.push_back(all.values[i]);
  }
  keep_newest(found);
  return found;
}

double exposure_per_point(const CompareSide& side, Duration step) {
  return promql_of(side).empty() ? 1 : counts_per_point(side.exposure, step);
}

struct Gathering {
  const metrics::Range& look;
  Combine combine = Combine::kMean;
  Material material = Material::kSeries;
};

SideSamples gather_side(const CompareSide& side, const metrics::Answer& answer,
                        const std::optional<metrics::Answer>& exposure, double taken,
                        const Gathering& how) {
  const double shift = seconds(ago_of(side));
  const SideSeries several = series_of(answer, how.look, shift, taken);
  const double factor = counts_per_point(promql_of(side), how.look.step);
  SideSamples samples;
  if (exposure) {
    const SideSeries against = series_of(*exposure, how.look, shift, taken);
    const double weight = exposure_per_point(side, how.look.step);
    samples.points = newest_of(summed(several, factor));
    samples.exposure = newest_of(summed(against, weight));
    if (how.material != Material::kCounts)
      samples = {.points = ratios(samples.points, samples.exposure)};
  } else if (how.material == Material::kDistribution) {
    samples.buckets = buckets_of(several, factor);
    // Of the points only the newest matters, to know what was taken.
    samples.points = newest_of(summed(several, 1));
  } else {
    samples.points = combined(several, how.combine);
  }
  if (samples.points.times.empty() && samples.exposure.times.empty() && samples.buckets.empty())
    samples.points = recorded_in(side, how.look, shift, taken);
  return samples;
}

bool knows_nothing(const metrics::Answer& answer) {
  return answer.series.empty() && !answer.document;
}

bool has_buckets(const metrics::Answer& answer) {
  return std::ranges::any_of(
      answer.series, [](const metrics::Series& one) { return !std::isnan(upper_end(one.labels)); });
}

}  // namespace

std::vector<judge::Counted> counted_before(const CompareSide& control, const LookInput& input,
                                           Duration step) {
  const Series events =
      summed(series_of_all(input.control_history), counts_per_point(promql_of(control), step));
  const Series exposure =
      summed(series_of_all(input.control_exposure_history), exposure_per_point(control, step));
  // Where the events' own question was not answered they are not known to be none.
  std::vector<judge::Counted> windows;
  if (events.times.empty()) return windows;
  for (std::size_t i = 0; i < exposure.times.size(); ++i)
    if (exposure.values[i] > 0)
      windows.push_back({events_at(events, exposure.times[i]), exposure.values[i]});
  return windows;
}

Samples gather(const CompareMetric& compare, const LookInput& input, const metrics::Range& look,
               const Taken& taken, const Wanted& wanted) {
  Gathering how{.look = look, .combine = wanted.combine};
  const bool exposed = input.control_exposure && input.experiment_exposure;
  if (exposed && wanted.counts) {
    how.material = Material::kCounts;
  } else if (!exposed && wanted.buckets &&
             (has_buckets(input.control) || has_buckets(input.experiment))) {
    how.material = Material::kDistribution;
  }
  Samples samples{.material = how.material};
  samples.control =
      gather_side(compare.control, input.control, input.control_exposure, taken.control, how);
  samples.experiment = gather_side(compare.experiment, input.experiment, input.experiment_exposure,
                                   taken.experiment, how);
  samples.no_series = knows_nothing(input.control) && knows_nothing(input.experiment);
  for (const CompareSide* side : {&compare.control, &compare.experiment})
    samples.other_clock |= ago_of(*side) != Duration{} || side->recorded;
  return samples;
}

}  // namespace slipway::analysis
