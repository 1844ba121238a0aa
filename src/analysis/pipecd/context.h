#pragma once

#include "analysis/pipecd/compile_pipecd.h"
#include "analysis/pipecd/config.h"

// The parts compile_pipecd is made of.
namespace slipway::analysis::pipecd {

inline constexpr std::string_view kPrimary = "primary";
inline constexpr std::string_view kCanary = "canary";
inline constexpr std::string_view kBaseline = "baseline";

// Everything that was read, and what the caller wants.
struct Context {
  Application application = {};
  TemplateSet templates = {};
  std::vector<AnalysisProvider> providers = {};
  bool has_piped = false;
  PipecdOptions options = {};

  std::string app_name() const;
  std::string namespace_() const;
};

// Errors: the first thing that PipeCD refuses in one of the files.
Result<Context> read_context(const yaml::Document& application,
                             const std::vector<const yaml::Document*>& templates,
                             const yaml::Document* piped, const PipecdOptions& options);

// The check a stage's entry stands for: itself, or the template's entry it names. Errors: kInvalid,
// there is no such entry.
Result<MetricCheck> resolve(const MetricCheck& check, const TemplateSet& templates);
Result<LogCheck> resolve(const LogCheck& check, const TemplateSet& templates);
Result<HttpCheck> resolve(const HttpCheck& check, const TemplateSet& templates);

// A text of a metric (its query, its exposure) for one variant. Errors: kInvalid, at `field`.
Result<std::string> render(const Context& context, const MetricCheck& metric,
                           std::string_view variant, const std::string& text,
                           const std::string& field);

// Where a metric is asked, without its query; Secrets for keys that the configuration holds are put
// into `compiled`. Errors: kInvalid, at the check's provider.
Result<api::argo::SourceMetric> metric_source(const Context& context, const Check& check,
                                              Compiled& compiled);
Result<api::argo::SourceMetric> log_source(const Context& context, const LogCheck& log);
api::argo::SourceMetric http_source(const HttpCheck& http);

// How often a check is evaluated: at every interval strictly before the end.
std::int64_t evaluations(Duration duration, Duration interval);
// Points of one series that one evaluation sees, and the time between them.
Duration step_of(Duration interval);
std::int64_t points_per_look(Duration interval);
// Whether a metric is judged by one test over all looks, so that one crossing of its boundary
// fails.
std::string method_of(const MetricCheck& metric, bool compat);
// Points of one series over the whole stage, as many as count for one: those that share most of the
// range they are an average of count once. And whether there are such.
struct StagePoints {
  double effective = 0;
  bool share_range = false;
  bool enough() const;  // for an accumulating test ever to fail
};
StagePoints stage_points(Duration interval, std::int64_t looks, std::string_view query);
// What to say of a comparison that has not enough of them; `by_look`: it names no method, so that
// each look is judged alone.
std::string too_short(const StagePoints& points, bool by_look);

api::GoDuration as_text(Duration duration);
// As people write it: 10m, not 10m0s.
std::string brief(Duration duration);
// Fit for metadata.name: lower case, letters, digits and dashes.
std::string as_name(std::string_view text);

// The metrics of one stage. Errors: kInvalid.
Result<Compiled> compile_stage(const Context& context, const Stage& stage);

}  // namespace slipway::analysis::pipecd
