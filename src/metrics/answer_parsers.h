#pragma once

#include <string_view>

#include "metrics/provider.h"

// Bodies of sources' answers, made into Answers. Pure: no body may crash one of these. Errors:
// kInvalid quoting what was found, or the code of the failure that the body reports.
namespace slipway::metrics {

Result<Answer> parse_prometheus_answer(std::string_view body);
// `path`: kubectl's JSONPath; empty: {$}. A body that is no JSON is its own text.
Result<Answer> parse_web_answer(std::string_view body, std::string_view path);
Result<Answer> parse_datadog_v1_answer(std::string_view body);
Result<Answer> parse_datadog_v2_answer(std::string_view body, Time at);
Result<Answer> parse_influxdb_answer(std::string_view body);
Result<Answer> parse_graphite_answer(std::string_view body);
Result<Answer> parse_insights_answer(std::string_view body, Time at);
Result<Answer> parse_nerdgraph_answer(std::string_view body, Time at);
Result<Answer> parse_dynatrace_answer(std::string_view body);
Result<Answer> parse_wavefront_answer(std::string_view body);
Result<Answer> parse_skywalking_answer(std::string_view body);
Result<Answer> parse_stackdriver_answer(std::string_view body);
// One page of log entries: how many, what the newest says, and the token of the next page.
struct LogPage {
  std::size_t entries = 0;
  std::string newest = {};
  std::string next = {};
};
Result<LogPage> parse_google_logs_page(std::string_view body);
// A whole stream of server-sent events.
Result<Answer> parse_splunk_answer(std::string_view body);
// Adds one page to `answer`; gives the token of the next page, empty at the end.
Result<std::string> parse_cloudwatch_page(std::string_view body, Answer& answer);
Result<Answer> parse_external_metrics(const json::Value& list);

}  // namespace slipway::metrics
