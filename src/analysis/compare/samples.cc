#include "analysis/compare/samples.h"

#include <algorithm>
#include <cmath>

namespace slipway::analysis {
namespace {

using judge::Material;
using judge::Series;

double newest_of(const SideSamples& side, double before) {
  for (const Series* series : {&side.points, &side.exposure})
    for (double time : series->times) before = std::max(before, time);
  return before;
}

json::Value written(double number) {
  json::Value value =
      std::isfinite(number) && number == std::floor(number) && std::abs(number) < 1e15
          ? json::Value(static_cast<std::int64_t>(number))
          : json::Value(number);
  write_out_infinities(value);
  return value;
}

json::Array as_json(const Series& series) {
  json::Array points;
  for (std::size_t i = 0; i < series.times.size(); ++i)
    points.push_back(
        json::Array{written(std::round(series.times[i] * 1000) / 1000), written(series.values[i])});
  return points;
}

json::Array as_json(const std::vector<judge::Bucket>& buckets) {
  json::Array list;
  for (const judge::Bucket& bucket : buckets)
    list.push_back(json::Array{written(bucket.upper), written(bucket.count)});
  return list;
}

SideSamples read_side(const json::Object& object, const std::string& name) {
  SideSamples side;
  const auto series = [&](const std::string& key) {
    const json::Value* value = object.if_contains(key);
    return value ? read_series(*value) : Series{};
  };
  side.points = series(name);
  side.exposure = series(name + "Exposure");
  const Series buckets = series(name + "Buckets");
  for (std::size_t i = 0; i < buckets.times.size(); ++i)
    side.buckets.push_back({.upper = buckets.times[i], .count = buckets.values[i]});
  return side;
}

std::size_t points_in(const json::Value& samples) {
  if (!samples.is_object()) return 0;
  std::size_t points = 0;
  for (const auto& [key, list] : samples.get_object()) {
    if (!list.is_array()) continue;
    if (key != "pairs") points += list.get_array().size();
    for (const json::Value& one : list.get_array()) points += points_in(one);
  }
  return points;
}

}  // namespace

std::optional<double> number_in(const json::Value& value) {
  if (value.is_double()) return value.get_double();
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  if (value.is_string()) {
    if (value.get_string() == "+Inf") return std::numeric_limits<double>::infinity();
    if (value.get_string() == "-Inf") return -std::numeric_limits<double>::infinity();
  }
  return std::nullopt;
}

bool SideSamples::empty(Material material) const {
  const auto none = [](double sum) { return !(sum > 0); };
  double sum = 0;
  switch (material) {
    case Material::kSeries:
      return points.values.empty();
    case Material::kCounts:
      for (double one : exposure.values) sum += one;
      return none(sum);
    case Material::kDistribution:
      for (const judge::Bucket& one : buckets) sum += one.count;
      return none(sum);
  }
  return true;
}

Taken newest(const Samples& samples, Taken before) {
  return {.control = newest_of(samples.control, before.control),
          .experiment = newest_of(samples.experiment, before.experiment)};
}

json::Object to_json(const Samples& samples) {
  json::Object object;
  const auto put = [&](const std::string& name, const SideSamples& side) {
    if (samples.material == Material::kDistribution) {
      object[name + "Buckets"] = as_json(side.buckets);
      return;
    }
    object[name] = as_json(side.points);
    if (samples.material == Material::kCounts) object[name + "Exposure"] = as_json(side.exposure);
  };
  put("control", samples.control);
  put("experiment", samples.experiment);
  if (samples.other_clock) object["otherClock"] = true;
  if (samples.no_series) object["noSeries"] = true;
  return object;
}

Result<Samples> read_samples(const json::Value& value) {
  if (!value.is_object())
    return fail(ErrorCode::kInvalid,
                "the samples of a look are an object of control and experiment", "samples");
  const json::Object& object = value.get_object();
  Samples samples;
  if (object.contains("controlExposure")) samples.material = Material::kCounts;
  if (object.contains("controlBuckets")) samples.material = Material::kDistribution;
  samples.control = read_side(object, "control");
  samples.experiment = read_side(object, "experiment");
  const auto said = [&](std::string_view key) {
    const json::Value* found = object.if_contains(key);
    return found && found->is_bool() && found->get_bool();
  };
  samples.other_clock = said("otherClock");
  samples.no_series = said("noSeries");
  return samples;
}

Series read_series(const json::Value& points) {
  Series series;
  if (!points.is_array()) return series;
  for (const json::Value& point : points.get_array()) {
    if (!point.is_array() || point.get_array().size() != 2) continue;
    const auto time = number_in(point.get_array()[0]);
    const auto value = number_in(point.get_array()[1]);
    if (!time || !value || std::isnan(*value)) continue;
    series.times.push_back(*time);
    series.values.push_back(*value);
  }
  return series;
}

std::size_t count_points(const api::FreeForm& samples) { return points_in(samples.value); }

void write_out_infinities(json::Value& value) {
  if (value.is_double()) {
    const double number = value.get_double();
    if (std::isnan(number)) value = "NaN";
    if (std::isinf(number)) value = number > 0 ? "+Inf" : "-Inf";
  } else if (value.is_array()) {
    for (json::Value& one : value.get_array()) write_out_infinities(one);
  } else if (value.is_object()) {
    for (auto& [key, one] : value.get_object()) write_out_infinities(one);
  }
}

}  // namespace slipway::analysis
