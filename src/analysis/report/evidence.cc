#include "analysis/report/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/arguments.h"
#include "analysis/due.h"
#include "analysis/report/plain_text.h"
#include "analysis/report/queries.h"
#include "analysis/report/sample_collector.h"
#include "analysis/run_rules.h"
#include "base/float_text.h"

namespace slipway::analysis::report {

namespace {

using api::argo::AnalysisRun;
using api::argo::Measurement;
using api::argo::Metric;
using api::argo::MetricResult;

constexpr double kMaxLook = 1e9;
constexpr std::size_t kMaxValueBytes = 4 * 1024 * 1024;  // of a recorded value that is read

double seconds_of(const Measurement& measurement) {
  const auto& time = measurement.finished_at ? measurement.finished_at : measurement.started_at;
  return time ? std::chrono::duration<double>(time->time_since_epoch()).count() : 0;
}

// A number of the judge's answer: null and "NaN" are unknown.
double number_at(const json::Value& value, std::initializer_list<std::string_view> path) {
  const json::Value* found = json::at(value, path);
  if (found == nullptr) return kUnknown;
  if (found->is_string())
    return found->get_string() == "+Inf"   ? std::numeric_limits<double>::infinity()
           : found->get_string() == "-Inf" ? -std::numeric_limits<double>::infinity()
                                           : kUnknown;
  return found->is_number() ? found->to_number<double>() : kUnknown;
}

EvidenceLook look_of(const Measurement& measurement, const json::Value& answer, std::int64_t at) {
  EvidenceLook look{.look = at, .seconds = seconds_of(measurement), .phase = measurement.phase};
  look.reason = measurement.message.empty() ? std::string(json::string_at(answer, {"reason"}))
                                            : measurement.message;
  look.p = number_at(answer, {"p"});
  look.ratio = number_at(answer, {"effect", "ratio"});
  look.shift = number_at(answer, {"effect", "shift"});
  look.low = number_at(answer, {"effect", "low"});
  look.high = number_at(answer, {"effect", "high"});
  look.cles = number_at(answer, {"effect", "cles"});
  const json::Value* newest_look = json::at(answer, {"look"});
  if (newest_look == nullptr) return look;
  const json::Value& newest = *newest_look;
  if (const double number = number_at(newest, {"look"}); number >= 1 && number <= kMaxLook)
    look.look = static_cast<std::int64_t>(number);
  look.z = number_at(newest, {"z"});
  look.boundary = number_at(newest, {"boundary"});
  look.log_m = number_at(newest, {"logM"});
  look.alpha_spent = number_at(newest, {"alphaSpent"});
  return look;
}

// The recorded value as JSON; what is none is a text.
json::Value value_of(const Measurement& measurement) {
  auto read = json::read(measurement.value, {.max_bytes = kMaxValueBytes, .allow_nan = true});
  return read ? std::move(*read) : json::Value(measurement.value);
}

std::vector<double> numbers_in(const json::Value& value) {
  std::vector<double> numbers;
  if (value.is_number()) numbers.push_back(value.to_number<double>());
  if (value.is_array())
    for (const auto& element : value.get_array())
      if (element.is_number()) numbers.push_back(element.to_number<double>());
  return numbers;
}

void add_condition(Evidence& evidence, const Metric& metric) {
  if (metric.check && metric.check->expected) {
    evidence.least = metric.check->expected->min;
    evidence.most = metric.check->expected->max;
  }
  evidence.has_expression = !metric.success_condition.empty() || !metric.failure_condition.empty();
  if (!metric.success_condition.empty())
    evidence.condition = metric.success_condition;
  else if (!metric.failure_condition.empty())
    evidence.condition = fmt::format("not ({})", metric.failure_condition);
  else if (evidence.least && evidence.most && *evidence.least == *evidence.most)
    evidence.condition = general_text(*evidence.least);
  else if (evidence.least && evidence.most)
    evidence.condition =
        fmt::format("{} to {}", general_text(*evidence.least), general_text(*evidence.most));
  else if (evidence.least)
    evidence.condition = fmt::format("at least {}", general_text(*evidence.least));
  else if (evidence.most)
    evidence.condition = fmt::format("at most {}", general_text(*evidence.most));
}

void add_answer(Evidence& evidence, const Measurement& measurement, const json::Value& value) {
  evidence.method = json::string_at(value, {"method"});
  evidence.direction = json::string_at(value, {"direction"});
  evidence.looks.push_back(look_of(measurement, value, evidence.taken));
  const double ratio = evidence.looks.back().ratio;
  evidence.course.push_back(ratio);
  if (!std::isnan(ratio)) evidence.last = ratio;
}

void add_score(Evidence& evidence, const json::Value& value) {
  evidence.score = value;
  const double score = number_at(value, {"score"});
  evidence.course.push_back(score);
  if (!std::isnan(score)) evidence.last = score;
  if (const double pass = number_at(value, {"pass"}); std::isfinite(pass))
    evidence.condition = fmt::format("score at least {}", general_text(pass));
}

void add_measurement(Evidence& evidence, const Measurement& measurement, SampleCollector& samples) {
  if (!measurement.value.empty()) evidence.last_text = measurement.value;
  const json::Value value = value_of(measurement);
  if (value.is_object() && value.get_object().contains("verdict"))
    add_answer(evidence, measurement, value);
  if (value.is_object() && value.get_object().contains("score")) add_score(evidence, value);
  if (samples.add(measurement.samples.value)) return;
  const auto numbers = numbers_in(value);
  if (!numbers.empty()) {
    evidence.last = numbers.front();
    evidence.course.push_back(numbers.front());
  }
  samples.add_values(seconds_of(measurement), numbers);
}

void add_result(Evidence& evidence, const MetricResult& result) {
  evidence.phase = result.phase;
  evidence.message = result.message;
  evidence.dry_run = result.dry_run;
  evidence.taken = result.count + result.error;
  evidence.errors = result.error;
  const auto kept = static_cast<std::int64_t>(result.measurements.size());
  SampleCollector samples;
  std::int64_t number = std::max(evidence.taken, kept) - kept;
  const std::int64_t taken = std::max(evidence.taken, kept);
  for (const auto& measurement : result.measurements) {
    evidence.taken = ++number;
    add_measurement(evidence, measurement, samples);
  }
  evidence.taken = taken;
  evidence.series = samples.take();
  if (!result.measurements.empty() && result.measurements.back().resume_at)
    evidence.next_seconds =
        std::chrono::duration<double>(result.measurements.back().resume_at->time_since_epoch())
            .count();
}

Evidence evidence_of_metric(const Metric& metric, const MetricResult* result) {
  Evidence evidence{.name = metric.name, .phase = "Pending"};
  evidence.compares = metric.provider.compare.has_value();
  evidence.planned = count_of(metric);
  add_condition(evidence, metric);
  if (result != nullptr) add_result(evidence, *result);
  evidence.queries = queries_of(metric, result);
  return evidence;
}

// What is in a Secret stays a name.
lang::Tags shown_arguments(const AnalysisRun& run) {
  Arguments arguments = arguments_of(run.spec, run.metadata.value);
  for (const SecretArgument& secret : arguments.secrets)
    arguments.tags.erase("args." + secret.argument);
  return std::move(arguments.tags);
}

}  // namespace

std::vector<Evidence> evidence_of(const AnalysisRun& run) {
  std::vector<Evidence> all;
  const lang::Tags known_arguments = shown_arguments(run);
  for (const auto& metric : run.spec.metrics) {
    all.push_back(evidence_of_metric(metric, result_of(run, metric.name)));
    std::string& condition = all.back().condition;
    if (auto as_judged = lang::substitute(condition, known_arguments))
      condition = std::move(*as_judged);
  }
  if (!run.status) return all;
  for (const auto& result : run.status->metric_results) {
    const bool known = std::ranges::any_of(
        run.spec.metrics, [&](const Metric& metric) { return metric.name == result.name; });
    if (!known) all.push_back(evidence_of_metric({.name = result.name}, &result));
  }
  return all;
}

std::string looks_text(const Evidence& evidence) {
  std::string text = std::to_string(evidence.taken - evidence.errors);
  if (evidence.planned) text += fmt::format("/{}", *evidence.planned);
  if (evidence.errors > 0)
    text += fmt::format(", {} error{}", evidence.errors, evidence.errors == 1 ? "" : "s");
  return text;
}

std::string shown_last(const Evidence& evidence) {
  if (evidence.last)
    return evidence.compares ? fmt::format("{:+.1f} %", 100 * (*evidence.last - 1))
                             : short_number(*evidence.last);
  std::string text = evidence.compares ? std::string() : one_line(evidence.last_text);
  return text.empty() ? "-" : text;
}

std::string name_of(const AnalysisRun& run) {
  const auto name = json::string_at(run.metadata.value, {"name"});
  return name.empty() ? "analysis" : std::string(name);
}

}  // namespace slipway::analysis::report
