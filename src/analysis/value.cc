#include "analysis/value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/conditions.h"
#include "analysis/phase.h"
#include "lang/expr/condition.h"
#include "metrics/number.h"

namespace slipway::analysis {

namespace {

using api::argo::Measurement;
using api::argo::Metric;
using metrics::Answer;
using metrics::Dialect;

// What a dialect made of an answer.
struct Reply {
  json::Value result = nullptr;
  std::string value = {};
  metrics::Labels metadata = {};
  std::vector<double> numbers = {};  // all that `check.expected` is about
  std::optional<std::string> no_data = {};
};

Result<Reply> read_as_argo(const Asking& asking, const Answer& answer, Time started) {
  auto read = metrics::read_result(asking.reading, answer, started);
  if (!read && read.error().code == ErrorCode::kNotFound)
    return Reply{.no_data = read.error().message};
  if (!read) return std::unexpected(std::move(read).error());
  Reply reply{.result = std::move(read->result),
              .value = std::move(read->value),
              .metadata = std::move(read->metadata)};
  for (const auto& series : answer.series)
    for (const auto& point : series.points) reply.numbers.push_back(point.value);
  return reply;
}

Result<Reply> read_as_flagger(const Asking& asking, const Answer& answer) {
  auto number = metrics::read_number(asking.reading, answer);
  if (!number) return std::unexpected(std::move(number).error());
  if (!*number) return Reply{.no_data = std::string(metrics::kNoValuesFound)};
  return Reply{.result = **number, .value = metrics::plain_text(**number), .numbers = {**number}};
}

Result<Reply> read_as_pipecd(const Answer& answer) {
  metrics::FlatPoints flat = metrics::read_points(answer);
  Reply reply{.no_data = std::move(flat.no_data)};
  json::Array values;
  std::string text;
  for (const auto& point : flat.points) {
    reply.numbers.push_back(point.value);
    values.push_back(point.value);
    text += (text.empty() ? "" : ",") + metrics::plain_text(point.value);
  }
  reply.result = std::move(values);
  reply.value = "[" + text + "]";
  return reply;
}

Result<Reply> read(const Asking& asking, const Answer& answer, Time started) {
  if (asking.dialect == Dialect::kFlagger) return read_as_flagger(asking, answer);
  if (asking.dialect == Dialect::kPipecd) return read_as_pipecd(answer);
  return read_as_argo(asking, answer, started);
}

// Argo's conditions see nothing as a value of its own; a range, or a rule for it, does not.
void find_no_data(const Metric& metric, const Asking& asking, Reply& reply) {
  const auto& check = metric.check;
  if (!check || reply.no_data || (!check->expected && check->no_data.empty())) return;
  // No points at all is nothing to object to for PipeCD.
  const bool empty = asking.dialect == Dialect::kArgo &&
                     lang::expr::is_no_data(lang::expr::Value::from_json(reply.result));
  const bool nan = std::ranges::any_of(reply.numbers, [](double x) { return std::isnan(x); });
  if (empty) reply.no_data = std::string(kNilOrEmpty);
  if (nan) reply.no_data = "no data found: a value is NaN";
}

Outcome judge_no_data(const Metric& metric, const std::string& why) {
  const std::string& rule = metric.check ? metric.check->no_data : std::string();
  if (rule == "Pass") return {kSuccessful, why};
  if (rule == "Fail") return {kFailed, why};
  return error_outcome(metric, why);
}

// What is wrong with the first number outside; empty when all are within.
std::string outside(const api::argo::Expected& expected, const std::vector<double>& numbers) {
  const auto text = metrics::plain_text;
  for (const double number : numbers) {
    if (expected.min && number < *expected.min)
      return fmt::format("the value {} is below the expected minimum {}", text(number),
                         text(*expected.min));
    if (expected.max && number > *expected.max)
      return fmt::format("the value {} is above the expected maximum {}", text(number),
                         text(*expected.max));
  }
  return {};
}

Outcome judge_reply(const Metric& metric, const Reply& reply, Time now) {
  if (reply.no_data) return judge_no_data(metric, *reply.no_data);
  if (metric.check && metric.check->expected) {
    std::string problem = outside(*metric.check->expected, reply.numbers);
    if (!problem.empty()) return {kFailed, std::move(problem)};
  }
  return by_conditions(metric, reply.result, now, true);
}

}  // namespace

Measurement failed_measurement(const Metric& metric, std::string message, Time started, Time now) {
  Outcome outcome = error_outcome(metric, std::move(message));
  return {.phase = std::string(outcome.phase),
          .message = std::move(outcome.message),
          .started_at = started,
          .finished_at = now};
}

Measurement judge_value(const Metric& metric, const Asking& asking, const Result<Answer>& answer,
                        Time started, Time now) {
  if (!answer) return failed_measurement(metric, answer.error().text(), started, now);
  auto reply = read(asking, *answer, started);
  if (!reply) return failed_measurement(metric, reply.error().text(), started, now);
  find_no_data(metric, asking, *reply);
  Outcome outcome = judge_reply(metric, *reply, now);
  return {.phase = std::string(outcome.phase),
          .message = std::move(outcome.message),
          .started_at = started,
          .finished_at = now,
          .value = std::move(reply->value),
          .metadata = {reply->metadata.begin(), reply->metadata.end()}};
}

}  // namespace slipway::analysis
