#include "analysis/report/sample_collector.h"

#include <fmt/format.h>

#include <cmath>

namespace slipway::analysis::report {

namespace {

constexpr std::string_view kControl = "control";
constexpr std::string_view kExperiment = "experiment";
constexpr std::string_view kBuckets = "Buckets";  // of a histogram: no points in time

SampleSeries::Side side_of(std::string_view name) {
  if (name == kControl) return SampleSeries::Side::kControl;
  if (name == kExperiment) return SampleSeries::Side::kExperiment;
  return SampleSeries::Side::kNone;
}

constexpr int kOthers = 2;
int rank(std::string_view name) { return name == kControl ? 0 : name == kExperiment ? 1 : kOthers; }

double as_number(const json::Value& value) {
  return value.is_number() ? value.to_number<double>() : kUnknown;
}

}  // namespace

SampleCollector::Points* SampleCollector::points_of(const std::string& name) {
  for (auto& [known, points] : series_)
    if (known == name) return &points;
  if (series_.size() >= kMaxSeries) return nullptr;
  return &series_.emplace_back(name, Points()).second;
}

bool SampleCollector::add_series(std::string name, const json::Array& points) {
  Points* kept = points_of(name);
  if (kept == nullptr) return false;
  for (const auto& point : points) {
    if (!point.is_array() || point.get_array().size() != 2) continue;
    const double seconds = as_number(point.get_array()[0]);
    if (std::isfinite(seconds)) (*kept)[seconds] = as_number(point.get_array()[1]);
    if (kept->size() > kMaxSeriesPoints) kept->erase(kept->begin());
  }
  return true;
}

bool SampleCollector::add_sides(const std::string& prefix, const json::Object& sides) {
  bool any = false;
  for (const auto& member : sides) {
    const std::string name = prefix + std::string(member.key());
    if (name.ends_with(kBuckets) || !member.value().is_array()) continue;
    any = add_series(name, member.value().get_array()) || any;
  }
  return any;
}

bool SampleCollector::add(const json::Value& samples) {
  if (!samples.is_object()) return false;
  const json::Value* pairs = json::at(samples, {"pairs"});
  if (pairs == nullptr || !pairs->is_array()) return add_sides("", samples.get_object());
  bool any = false;
  for (const auto& pair : pairs->get_array())
    if (pair.is_object())
      any =
          add_sides(fmt::format("{} ", json::string_at(pair, {"name"})), pair.get_object()) || any;
  return any;
}

void SampleCollector::add_values(double seconds, const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (Points* points = points_of(values.size() == 1 ? "value" : fmt::format("value {}", i)))
      (*points)[seconds] = values[i];
}

std::vector<SampleSeries> SampleCollector::take() {
  std::vector<SampleSeries> taken;
  for (int wanted = 0; wanted <= kOthers; ++wanted)
    for (auto& [name, points] : series_) {
      if (rank(name) != wanted) continue;
      SampleSeries series{.name = name, .side = side_of(name)};
      for (const auto& [seconds, value] : points)
        series.points.push_back({.seconds = seconds, .value = value});
      taken.push_back(std::move(series));
    }
  series_.clear();
  return taken;
}

}  // namespace slipway::analysis::report
