#include <fmt/format.h>

#include <algorithm>

#include "analysis/pipecd/config.h"
#include "base/text.h"
#include "judge/sequential/plan.h"

// An ANALYSIS stage's `with`, and the entries of an AnalysisTemplate, which are the same.
namespace slipway::analysis::pipecd {

namespace {

using Severity = Report::Severity;
using Names = std::vector<std::string_view>;

constexpr std::string_view kDynamic = "dynamic";  // of a draft that PipeCD did not take up
constexpr std::size_t kMaxChecks = 1000;          // of one kind in one stage

// Inside a stage PipeCD passes over what it does not know, in a template it refuses it.
Severity unknown(bool of_template) { return of_template ? Severity::kError : Severity::kWarning; }

// Nothing is said of a field that is there and was refused already.
void need(const Fields& fields, std::string_view name, bool missing, std::string_view example) {
  const std::string path = fields.path_of(name);
  if (missing && !fields.report().has_error(path))
    fields.report().error(path, fmt::format("is missing; {}", example));
}

void read_template_ref(const Fields& fields, Check& check) {
  const Fields ref = fields.object("template");
  ref.expect_only({"name", "appArgs", "args"}, Severity::kWarning);
  check.template_name = ref.text("name");
  check.app_args = ref.args("appArgs");
  if (ref.has("args"))
    fields.report().warning(ref.path_of("args"), "is called appArgs now; PipeCD reads no args");
}

void read_common(const Fields& fields, Check& check) {
  check.field = fields.path();
  check.provider = fields.text("provider");
  check.query = fields.text("query");
  check.interval = fields.duration("interval");
  check.timeout = fields.duration("timeout");
  check.has_timeout = check.timeout != Duration::zero();
  if (!check.has_timeout) check.timeout = kDefaultTimeout;
  check.failure_limit = fields.integer("failureLimit");
  check.skip_on_no_data = fields.boolean("skipOnNoData");
  read_template_ref(fields, check);
  if (check.timeout < Duration::zero())
    fields.report().error(fields.path_of("timeout"), "is negative; write 30s");
}

void check_interval(const Fields& fields, const Check& check) {
  need(fields, "interval", check.interval == Duration::zero(),
       "write how often to ask, such as 5m");
  if (check.interval < Duration::zero())
    fields.report().error(fields.path_of("interval"), "is negative; write 5m");
}

void check_words(const Fields& fields, const MetricCheck& metric) {
  constexpr std::string_view kStrategies[] = {"THRESHOLD", "PREVIOUS", "CANARY_BASELINE",
                                              "CANARY_PRIMARY"};
  constexpr std::string_view kDeviations[] = {"EITHER", "HIGH", "LOW"};
  if (std::ranges::find(kStrategies, metric.strategy) == std::end(kStrategies))
    fields.report().error(fields.path_of("strategy"),
                          fmt::format("\"{}\" is no strategy; write THRESHOLD, PREVIOUS, "
                                      "CANARY_BASELINE or CANARY_PRIMARY",
                                      metric.strategy));
  if (std::ranges::find(kDeviations, metric.deviation) == std::end(kDeviations))
    fields.report().error(
        fields.path_of("deviation"),
        fmt::format("\"{}\" is no deviation; write EITHER, HIGH or LOW", metric.deviation));
  const std::string& method = metric.method;
  if (!method.empty() && method != "mann-whitney" && method != "kayenta" &&
      !judge::is_sequential(method))
    fields.report().error(
        fields.path_of("method"),
        fmt::format("\"{}\" is no method; write stratified-rank, signed-rank, counts, "
                    "distribution, kayenta or mann-whitney",
                    method));
}

void check_numbers(const Fields& fields, const MetricCheck& metric) {
  Report& report = fields.report();
  if (metric.alpha && !(*metric.alpha > 0 && *metric.alpha < 1))
    report.error(
        fields.path_of("alpha"),
        fmt::format("{} is no rate; write one between 0 and 1, such as 0.05", *metric.alpha));
  if (metric.margin && !(*metric.margin >= 0))
    report.error(fields.path_of("margin"), "is negative; write 0.05 for five per cent");
  if (metric.method == "counts" && metric.exposure.empty())
    report.error(fields.path_of("exposure"),
                 "is missing; counts need the query that counts what the events are counted "
                 "against, such as all requests");
  if (metric.min && metric.max && *metric.min > *metric.max)
    report.error(fields.path_of("expected"),
                 fmt::format("no value is at least {} and at most {}", *metric.min, *metric.max));
  if (metric.strategy == "THRESHOLD" && !metric.min && !metric.max)
    report.error(fields.path_of("expected"),
                 "is missing; THRESHOLD needs min or max, and fails every time without");
}

}  // namespace

MetricCheck read_metric(const Fields& fields, bool of_template) {
  Names names = {"strategy",  "provider",     "query",        "expected",
                 "interval",  "failureLimit", "skipOnNoData", "timeout",
                 "deviation", "canaryArgs",   "baselineArgs", "primaryArgs",
                 "method",    "alpha",        "margin",       "exposure"};
  if (!of_template) names.push_back("template");
  fields.expect_only(names, unknown(of_template));
  MetricCheck metric;
  read_common(fields, metric);
  metric.strategy = fields.text("strategy");
  if (metric.strategy.empty()) metric.strategy = "THRESHOLD";
  const Fields expected = fields.object("expected");
  expected.expect_only({"min", "max"}, unknown(of_template));
  metric.min = expected.number("min");
  metric.max = expected.number("max");
  metric.has_expected = expected.present();
  metric.deviation = fields.text("deviation");
  metric.has_deviation = !metric.deviation.empty();
  if (!metric.has_deviation) metric.deviation = "EITHER";
  metric.canary_args = fields.args("canaryArgs");
  metric.baseline_args = fields.args("baselineArgs");
  metric.primary_args = fields.args("primaryArgs");
  metric.method = fields.text("method");
  metric.alpha = fields.number("alpha");
  metric.margin = fields.number("margin");
  metric.exposure = fields.text("exposure");
  if (!metric.template_name.empty()) {
    for (const char* name : {"strategy", "provider", "query", "expected", "interval"})
      if (fields.has(name))
        fields.report().warning(fields.path_of(name),
                                "is passed over: all of the check is the template's");
    return metric;
  }
  need(fields, "provider", metric.provider.empty(), "write the name of an analysis provider");
  need(fields, "query", metric.query.empty(), "write what to ask the provider");
  check_interval(fields, metric);
  check_words(fields, metric);
  check_numbers(fields, metric);
  return metric;
}

LogCheck read_log(const Fields& fields, bool of_template) {
  Names names = {"provider", "query", "interval", "failureLimit", "skipOnNoData", "timeout"};
  if (!of_template) names.push_back("template");
  fields.expect_only(names, unknown(of_template));
  LogCheck log;
  read_common(fields, log);
  if (!log.template_name.empty()) return log;
  need(fields, "provider", log.provider.empty(), "write the name of an analysis provider");
  need(fields, "query", log.query.empty(), "write which log entries must not be there");
  check_interval(fields, log);
  return log;
}

HttpCheck read_http(const Fields& fields, bool of_template) {
  Names names = {"url",          "method",           "headers",      "expectedCode", "interval",
                 "failureLimit", "expectedResponse", "skipOnNoData", "timeout"};
  if (!of_template) names.push_back("template");
  fields.expect_only(names, unknown(of_template));
  HttpCheck http;
  read_common(fields, http);
  http.query = fields.text("url");
  http.method = fields.text("method");
  http.expected_code = fields.integer("expectedCode");
  http.expected_response = fields.text("expectedResponse");
  for (const Fields& header : fields.list("headers")) {
    header.expect_only({"key", "value"}, unknown(of_template));
    const std::string key = header.text("key");
    std::erase_if(http.headers,
                  [&](const auto& one) { return text::lower(one.first) == text::lower(key); });
    if (!key.empty()) http.headers.emplace_back(key, header.text("value"));
  }
  if (!http.template_name.empty()) return http;
  need(fields, "url", http.query.empty(), "write what to ask, such as https://canary.example.com");
  check_interval(fields, http);
  if (http.expected_code < 100 || http.expected_code > 999)
    fields.report().error(
        fields.path_of("expectedCode"),
        fmt::format("{} is no status code, and fails every time; write 200", http.expected_code));
  return http;
}

AnalysisStage read_analysis(const Fields& with) {
  with.expect_only({"duration", "restartThreshold", "metrics", "logs", "https", "skipOn", kDynamic},
                   Severity::kWarning);
  if (with.has(kDynamic))
    with.report().warning(
        with.path_of(kDynamic),
        "PipeCD knows no such field; write its metrics under metrics, each with a "
        "strategy such as CANARY_BASELINE");
  AnalysisStage stage;
  stage.duration = with.duration("duration");
  need(with, "duration", stage.duration == Duration::zero(),
       "an ANALYSIS stage needs one, such as 30m");
  (void)with.integer("restartThreshold");
  for (const Fields& one : with.list("metrics")) stage.metrics.push_back(read_metric(one, false));
  for (const Fields& one : with.list("logs")) stage.logs.push_back(read_log(one, false));
  for (const Fields& one : with.list("https")) stage.https.push_back(read_http(one, false));
  for (const auto& [name, size] :
       {std::pair("metrics", stage.metrics.size()), std::pair("logs", stage.logs.size()),
        std::pair("https", stage.https.size())})
    if (size > kMaxChecks)
      with.report().error(with.path_of(name),
                          fmt::format("has {} entries; at most {} are allowed", size, kMaxChecks));
  return stage;
}

}  // namespace slipway::analysis::pipecd
