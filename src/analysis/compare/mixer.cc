#include "analysis/compare/mixer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "analysis/compare/samples.h"

namespace slipway::analysis {
namespace {

using judge::Series;
using BySeries = std::map<Tags, Series>;

double unix_seconds(Time time) {
  return std::round(std::chrono::duration<double>(time.time_since_epoch()).count() * 1000) / 1000;
}

// A source that found nothing stands for one series without tags and points.
BySeries series_by_tags(const metrics::Answer& answer) {
  BySeries found;
  for (const metrics::Series& one : answer.series) {
    Tags tags(one.labels.begin(), one.labels.end());
    tags.erase("__name__");
    Series& series = found[std::move(tags)];
    for (const metrics::Point& point : one.points) {
      if (std::isnan(point.value)) continue;
      series.times.push_back(unix_seconds(point.time));
      series.values.push_back(point.value);
    }
  }
  if (found.empty()) found[{}] = {};
  return found;
}

std::set<std::string> tag_names(const BySeries& side) {
  std::set<std::string> names;
  for (const auto& [tags, series] : side)
    for (const auto& [name, value] : tags) names.insert(name);
  return names;
}

std::string joined(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

Result<> mix_one(const std::string& name, const LookInput& input, Mixed& mixed) {
  const BySeries control = series_by_tags(input.control);
  const BySeries experiment = series_by_tags(input.experiment);
  const auto control_names = tag_names(control);
  const auto experiment_names = tag_names(experiment);
  if (!control_names.empty() && !experiment_names.empty() && control_names != experiment_names)
    return fail(ErrorCode::kInvalid,
                fmt::format("metric {}: the control's series have the tags {}, the experiment's {}",
                            name, joined(control_names), joined(experiment_names)));
  std::set<Tags> all;
  for (const BySeries* side : {&control, &experiment})
    for (const auto& [tags, series] : *side) all.insert(tags);
  // Where one side has tags and the other none, the series without has no partner of its own.
  if (control_names.empty() != experiment_names.empty()) all.erase(Tags{});
  for (const Tags& tags : all) {
    if (mixed.pairs.size() == kMaxMixed)
      return fail(ErrorCode::kInvalid, fmt::format("more than {} pairs of series", kMaxMixed));
    const auto of = [&](const BySeries& side) {
      const auto found = side.find(tags);
      return found == side.end() ? Series{} : found->second;
    };
    mixed.pairs.push_back(
        {.name = name, .tags = tags, .control = of(control), .experiment = of(experiment)});
  }
  return {};
}

json::Array as_json(const Series& series) {
  json::Array points;
  for (std::size_t i = 0; i < series.times.size(); ++i) {
    json::Value value = series.values[i];
    write_out_infinities(value);
    points.push_back(json::Array{series.times[i], std::move(value)});
  }
  return points;
}

}  // namespace

Result<Mixed> mix(const api::argo::ScoreMetric& score, std::span<const LookInput> inputs,
                  const metrics::Range& look) {
  if (inputs.size() != score.pairs.size())
    return fail(ErrorCode::kInternal,
                fmt::format("{} answers for {} pairs", inputs.size(), score.pairs.size()));
  Mixed mixed{.length = static_cast<std::size_t>((look.to - look.from) / look.step)};
  if (const Duration asked = score_step(score); look.step > asked)
    mixed.note = fmt::format("a point every {} instead of {}: a look has at most {}",
                             format_duration(look.step), format_duration(asked), kMaxSamples);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    SLIPWAY_TRY(mix_one(score.pairs[i].name, inputs[i], mixed));
  return mixed;
}

std::vector<double> padded(const Series& series, std::size_t length) {
  std::vector<double> values = series.values;
  if (values.size() < length) values.resize(length, std::numeric_limits<double>::quiet_NaN());
  return values;
}

json::Object to_json(const Mixed& mixed) {
  std::size_t points = 0;
  for (const MixedPair& pair : mixed.pairs)
    points += pair.control.times.size() + pair.experiment.times.size();
  if (points > kMaxScoreSamples) return {{"omitted", points}};
  json::Array pairs;
  for (const MixedPair& pair : mixed.pairs) {
    json::Object one{{"name", pair.name}};
    json::Object tags;
    for (const auto& [name, value] : pair.tags) tags[name] = value;
    if (!tags.empty()) one["tags"] = std::move(tags);
    one["control"] = as_json(pair.control);
    one["experiment"] = as_json(pair.experiment);
    pairs.push_back(std::move(one));
  }
  json::Object object{{"length", mixed.length}, {"pairs", std::move(pairs)}};
  if (!mixed.note.empty()) object["note"] = mixed.note;
  return object;
}

Result<Mixed> read_mixed(const json::Value& value) {
  const json::Value* pairs = json::at(value, {"pairs"});
  const json::Value* length = json::at(value, {"length"});
  if (!pairs || !pairs->is_array() || !length)
    return fail(ErrorCode::kInvalid, "the points of this score were not kept", "samples");
  Mixed mixed{.length = static_cast<std::size_t>(
                  std::clamp(number_in(*length).value_or(0), 0.0, double(kMaxSamples))),
              .note = std::string(json::string_at(value, {"note"}))};
  for (const json::Value& one : pairs->get_array()) {
    MixedPair pair{.name = std::string(json::string_at(one, {"name"}))};
    if (const json::Value* tags = json::at(one, {"tags"}); tags && tags->is_object())
      for (const auto& [name, text] : tags->get_object())
        if (text.is_string()) pair.tags.emplace(name, text.get_string());
    if (const json::Value* points = json::at(one, {"control"})) pair.control = read_series(*points);
    if (const json::Value* points = json::at(one, {"experiment"}))
      pair.experiment = read_series(*points);
    mixed.pairs.push_back(std::move(pair));
    if (mixed.pairs.size() > kMaxMixed)
      return fail(ErrorCode::kInvalid, fmt::format("more than {} pairs", kMaxMixed), "samples");
  }
  return mixed;
}

}  // namespace slipway::analysis
