#include "analysis/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/phase.h"
#include "base/file.h"
#include "base/json.h"

namespace slipway::analysis {

namespace {

using api::argo::CompareSide;
using api::argo::Measurement;
using api::argo::Metric;
using api::argo::MetricResult;

constexpr int kVersion = 1;

double as_number(const json::Value& value) {
  if (value.is_double()) return value.get_double();
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  return value.is_uint64() ? static_cast<double>(value.get_uint64()) : std::nan("");
}

// [time, value]; nothing else is a point.
std::optional<RecordedPoint> point_of(const json::Value& value) {
  const auto* pair = value.if_array();
  if (pair == nullptr || pair->size() != 2) return std::nullopt;
  const RecordedPoint point{as_number((*pair)[0]), as_number((*pair)[1])};
  if (!std::isfinite(point.first) || !std::isfinite(point.second)) return std::nullopt;
  return point;
}

// The points a comparison's experiment showed, over all its looks. Looks overlap at their edges,
// and several series have points at the same time: a whole look counts from where the one before
// ended.
std::vector<RecordedPoint> experiment_points(const MetricResult& result) {
  std::vector<RecordedPoint> points;
  double before = -INFINITY;
  for (const Measurement& measurement : result.measurements) {
    const json::Value* list = json::at(measurement.samples.value, {"experiment"});
    if (list == nullptr || !list->is_array()) continue;
    double last = before;
    for (const json::Value& one : list->get_array()) {
      const auto point = point_of(one);
      if (!point || point->first <= before || points.size() == kMaxHistoryPoints) continue;
      points.push_back(*point);
      last = std::max(last, point->first);
    }
    before = last;
  }
  std::ranges::sort(points);
  return points;
}

bool looks_back(const Metric& metric) {
  const auto& compare = metric.provider.compare;
  return compare && (compare->control.recorded || !compare->control.ago.empty());
}

RecordedMetric record_of(const Metric& metric, const MetricResult* result) {
  RecordedMetric record{.name = metric.name};
  if (!looks_back(metric)) return record;
  const CompareSide& experiment = metric.provider.compare->experiment;
  if (experiment.source) record.query = experiment.source->query;
  if (result != nullptr) record.points = experiment_points(*result);
  return record;
}

// At most kKeptRuns of each stage, and kMaxHistoryRuns of all.
void keep_newest(History& history) {
  std::ranges::sort(history.runs, std::greater(), &RecordedRun::started);
  std::map<std::pair<std::string, std::string>, std::size_t> seen;
  std::erase_if(history.runs, [&](const RecordedRun& run) {
    return ++seen[{run.application, run.stage}] > kKeptRuns;
  });
  if (history.runs.size() > kMaxHistoryRuns) history.runs.resize(kMaxHistoryRuns);
}

std::unexpected<Error> refuse(std::string message, std::string where) {
  return fail(ErrorCode::kInvalid, std::move(message), std::move(where));
}

Result<RecordedMetric> parse_metric(const json::Value& value, const std::string& where) {
  RecordedMetric metric{.name = std::string(json::string_at(value, {"name"})),
                        .query = std::string(json::string_at(value, {"query"}))};
  if (metric.name.empty()) return refuse("a recorded metric has a name", where);
  const json::Value* points = json::at(value, {"points"});
  if (points == nullptr) return metric;
  if (!points->is_array()) return refuse("points are a list of [unix seconds, value]", where);
  for (const json::Value& one : points->get_array()) {
    const auto point = point_of(one);
    if (!point) return refuse("a point is [unix seconds, value]", where + ".points");
    if (metric.points.size() < kMaxHistoryPoints) metric.points.push_back(*point);
  }
  return metric;
}

Result<RecordedRun> parse_run(const json::Value& value, const std::string& where) {
  auto started = parse_time(json::string_at(value, {"started"}));
  if (!started) return refuse(started.error().message, where + ".started");
  RecordedRun run{.application = std::string(json::string_at(value, {"application"})),
                  .stage = std::string(json::string_at(value, {"stage"})),
                  .started = *started};
  const json::Value* metrics = json::at(value, {"metrics"});
  if (metrics == nullptr || !metrics->is_array()) return refuse("metrics are a list", where);
  for (const json::Value& one : metrics->get_array()) {
    if (run.metrics.size() == kMaxHistoryMetrics) break;
    auto metric = parse_metric(one, fmt::format("{}.metrics[{}]", where, run.metrics.size()));
    if (!metric) return std::unexpected(std::move(metric).error());
    run.metrics.push_back(std::move(*metric));
  }
  return run;
}

json::Object as_json(const RecordedMetric& metric) {
  json::Object object{{"name", metric.name}};
  if (!metric.query.empty()) object["query"] = metric.query;
  if (metric.points.empty()) return object;
  json::Array points;
  for (const auto& [time, value] : metric.points) points.push_back(json::Array{time, value});
  object["points"] = std::move(points);
  return object;
}

}  // namespace

void add(History& history, std::string application, std::string stage,
         const api::argo::AnalysisRun& run) {
  if (!run.status || run.status->phase != kSuccessful || !run.status->started_at) return;
  RecordedRun record{.application = std::move(application),
                     .stage = std::move(stage),
                     .started = *run.status->started_at};
  for (const Metric& metric : run.spec.metrics) {
    if (record.metrics.size() == kMaxHistoryMetrics) break;
    const auto result =
        std::ranges::find(run.status->metric_results, metric.name, &MetricResult::name);
    record.metrics.push_back(
        record_of(metric, result == run.status->metric_results.end() ? nullptr : &*result));
  }
  history.runs.insert(history.runs.begin(), std::move(record));
  keep_newest(history);
}

std::optional<Previous> find_previous(const History& history, std::string_view application,
                                      std::string_view stage, std::string_view metric) {
  for (const RecordedRun& run : history.runs) {
    if (run.application != application || run.stage != stage) continue;
    const auto found = std::ranges::find(run.metrics, metric, &RecordedMetric::name);
    if (found != run.metrics.end()) return Previous{&run, &*found};
  }
  return std::nullopt;
}

Result<History> parse_history(std::string_view text) {
  auto document = json::read(text, {.max_bytes = kMaxHistoryBytes});
  if (!document) return refuse("is no history: " + document.error().message, "");
  const json::Value* version = json::at(*document, {"version"});
  if (version == nullptr || as_number(*version) != kVersion)
    return refuse(fmt::format("is no history of version {}", kVersion), "version");
  History history;
  const json::Value* runs = json::at(*document, {"runs"});
  if (runs == nullptr || !runs->is_array()) return refuse("runs are a list", "runs");
  for (std::size_t i = 0; i < runs->get_array().size(); ++i) {
    auto run = parse_run(runs->get_array()[i], fmt::format("runs[{}]", i));
    if (!run) return std::unexpected(std::move(run).error());
    history.runs.push_back(std::move(*run));
  }
  keep_newest(history);
  return history;
}

std::string format_history(const History& history) {
  json::Array runs;
  for (const RecordedRun& run : history.runs) {
    json::Array metrics;
    for (const RecordedMetric& metric : run.metrics) metrics.push_back(as_json(metric));
    runs.push_back(json::Object{{"application", run.application},
                                {"stage", run.stage},
                                {"started", format_micro_time(run.started)},
                                {"metrics", std::move(metrics)}});
  }
  return json::write(json::Object{{"version", kVersion}, {"runs", std::move(runs)}}) + "\n";
}

Result<History> read_history(const std::string& path) {
  auto text = file::read(path, kMaxHistoryBytes);
  if (!text && text.error().code == ErrorCode::kNotFound) return History();
  if (!text) return std::unexpected(std::move(text).error());
  auto history = parse_history(*text);
  if (!history) {
    Error error = history.error();
    return fail(error.code, fmt::format("{}: {}", path, error.text()));
  }
  return history;
}

Result<> write_history(const std::string& path, const History& history) {
  std::string text = format_history(history);
  // Too much to be read again: the oldest go first.
  History kept;
  while (text.size() > kMaxHistoryBytes) {
    if (kept.runs.empty()) kept = history;
    kept.runs.resize(kept.runs.size() / 2);
    text = format_history(kept);
  }
  return file::write(path, text, 0600);
}

}  // namespace slipway::analysis
