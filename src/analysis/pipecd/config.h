#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/pipecd/fields.h"

// PipeCD's files as far as an analysis rests on them: decoded, defaults filled in.
namespace slipway::analysis::pipecd {

inline constexpr std::string_view kApiVersion = "pipecd.dev/v1beta1";
inline constexpr Duration kDefaultTimeout = std::chrono::seconds(30);

// What the three kinds of checks have in common. `template_name` not empty: the check is the
// template's entry of that name, but for the arguments and the timeout.
struct Check {
  std::string field = {};  // spec.pipeline.stages[1].with.metrics[0]
  std::string provider = {};
  std::string query = {};
  Duration interval = {};
  Duration timeout = {};
  bool has_timeout = false;  // as written
  std::int64_t failure_limit = 0;
  bool skip_on_no_data = false;
  std::string template_name = {};
  Args app_args = {};
};

struct MetricCheck : Check {
  std::string strategy = {};  // THRESHOLD, PREVIOUS, CANARY_BASELINE, CANARY_PRIMARY
  std::optional<double> min = {}, max = {};
  std::string deviation = {};  // EITHER, HIGH, LOW
  Args canary_args = {}, baseline_args = {}, primary_args = {};
  bool has_expected = false, has_deviation = false;  // as written
  // slipway's own: how to compare. See CompareMetric.
  std::string method = {};
  std::optional<double> alpha = {}, margin = {};
  std::string exposure = {};

  bool compares() const { return strategy != "THRESHOLD"; }
};

struct LogCheck : Check {};

struct HttpCheck : Check {  // `query` is the URL
  std::string method = {};
  std::vector<std::pair<std::string, std::string>> headers = {};  // of a repeated one the last
  std::int64_t expected_code = 0;
  std::string expected_response = {};
};

struct AnalysisStage {
  Duration duration = {};
  std::vector<MetricCheck> metrics = {};
  std::vector<LogCheck> logs = {};
  std::vector<HttpCheck> https = {};

  bool empty() const { return metrics.empty() && logs.empty() && https.empty(); }
};
struct Stage {
  std::string id = {};  // stage-2 unless it is given
  std::string name = {};
  std::string field = {};
  std::optional<AnalysisStage> analysis = {};
  // Of K8S_CANARY_ROLLOUT, K8S_BASELINE_ROLLOUT; of K8S_TRAFFIC_ROUTING, the canary's percentage.
  std::optional<Fields::Amount> amount = {};
};
struct Application {
  std::string kind = {};
  std::string name = {};
  std::string namespace_ = {};
  Args app_args = {};  // of every analysis (PipeCD v1)
  std::vector<Stage> stages = {};
};

struct TemplateSet {
  std::map<std::string, MetricCheck> metrics = {};
  std::map<std::string, LogCheck> logs = {};
  std::map<std::string, HttpCheck> https = {};
};

struct AnalysisProvider {
  std::string field = {};
  std::string name = {};
  std::string type = {};  // PROMETHEUS, DATADOG, STACKDRIVER
  std::string address = {};
  Args files = {};  // username, password, api, application, account: the file that holds it
  Args data = {};   // api, application: base64
};

// Kinds whose files are applications, and whether PipeCD v1 reads them.
bool is_application_kind(std::string_view kind);
inline constexpr std::string_view kPluginApplication = "Application";

// Each reports what PipeCD refuses, what it passes over as warnings.
Application read_application(const Fields& root);
void read_templates(const Fields& root, TemplateSet& into);  // entries already there stay
std::vector<AnalysisProvider> read_providers(const Fields& root);

// Keys of the rest of an application's spec: unknown ones are errors there.
void check_application_keys(const Fields& spec, std::string_view kind);
// One stage's `with`, if it is an ANALYSIS stage. `of_template`: unknown keys are errors.
AnalysisStage read_analysis(const Fields& with);
MetricCheck read_metric(const Fields& fields, bool of_template);
LogCheck read_log(const Fields& fields, bool of_template);
HttpCheck read_http(const Fields& fields, bool of_template);

}  // namespace slipway::analysis::pipecd
