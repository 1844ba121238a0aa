#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/compare/settings.h"
#include "analysis/pipecd/context.h"
#include "judge/sequential/plan.h"

// One ANALYSIS stage as one run.
namespace slipway::analysis::pipecd {

namespace {

using api::argo::CompareMetric;
using api::argo::CompareSide;
using api::argo::Metric;
using api::argo::SourceMetric;

constexpr std::int64_t kMaxEvaluations = 100'000;
// Measurements with their samples are kept, as long as all of a metric's points together are not
// more than this: the record for PREVIOUS is made of them.
constexpr std::int64_t kMaxKeptPoints = 40'000;
constexpr std::int64_t kMinKept = 10;
constexpr double kStageAlpha = 0.05;  // over all metrics and looks of a stage

class StageCompiler {
 public:
  StageCompiler(const Context& context, const Stage& stage) : context_(context), stage_(stage) {
    const std::string app = context.app_name();
    compiled_.name = as_name(app + "-" + stage.id);
    compiled_.application = app;
    compiled_.stage = stage.id;
  }

  Result<Compiled> run() {
    const AnalysisStage& analysis = *stage_.analysis;
    for (std::size_t i = 0; i < analysis.metrics.size(); ++i)
      SLIPWAY_TRY(add_metric(analysis.metrics[i], i));
    for (std::size_t i = 0; i < analysis.logs.size(); ++i)
      SLIPWAY_TRY(add_log(analysis.logs[i], i));
    for (std::size_t i = 0; i < analysis.https.size(); ++i)
      SLIPWAY_TRY(add_http(analysis.https[i], i));
    if (analysis.empty()) warn(stage_.field, "has nothing to evaluate, and passes at once");
    if (!compiled_.spec.metrics.empty())
      compiled_.spec.measurement_retention = {
          {.metric_name = ".*", .limit = static_cast<std::int32_t>(kept_)}};
    return std::move(compiled_);
  }

 private:
  void warn(const std::string& field, std::string_view message) {
    compiled_.warnings.push_back(fmt::format("{}: {}", field, message));
  }

  // Unique, and the same in the next deployment.
  std::string name_for(const Check& check, std::string_view list, std::size_t index) {
    const std::string base =
        check.template_name.empty() ? fmt::format("{}-{}", list, index) : check.template_name;
    std::string name = base;
    for (int n = 2; !names_.insert(name).second; ++n) name = fmt::format("{}-{}", base, n);
    return name;
  }

  // What all checks have in common. No metric when the check is never evaluated.
  Result<std::optional<Metric>> timed(const Check& check, std::string name) {
    const Duration duration = stage_.analysis->duration;
    const std::int64_t count = evaluations(duration, check.interval);
    if (count > kMaxEvaluations)
      return fail(ErrorCode::kInvalid,
                  fmt::format("{} would make {} evaluations in {}; write a longer one",
                              brief(check.interval), count, brief(duration)),
                  check.field + ".interval");
    if (count == 0) {
      warn(check.field, fmt::format("is never evaluated: the interval {} is not shorter than the "
                                    "duration {}",
                                    brief(check.interval), brief(duration)));
      return std::nullopt;
    }
    // A limit that cannot be reached is the number of evaluations: a run may have no higher one.
    const std::int64_t failures = std::clamp<std::int64_t>(check.failure_limit, 0, count);
    kept_ = std::max(kept_, std::clamp(kMaxKeptPoints / (2 * points_per_look(check.interval)),
                                       kMinKept, count < kMinKept ? kMinKept : count));
    return Metric{.name = std::move(name),
                  .interval = as_text(check.interval),
                  .initial_delay = as_text(check.interval),
                  .count = api::IntOrString::of(count),
                  .failure_limit = api::IntOrString::of(failures),
                  .inconclusive_limit = api::IntOrString::of(count),
                  .check = api::argo::Check{.no_data = check.skip_on_no_data ? "Pass" : "Fail",
                                            .errors_fail = true}};
  }

  Result<> add_metric(const MetricCheck& entry, std::size_t index) {
    auto check = resolve(entry, context_.templates);
    if (!check) return std::unexpected(std::move(check).error());
    auto metric = timed(*check, name_for(*check, "metrics", index));
    if (!metric) return std::unexpected(std::move(metric).error());
    auto source = metric_source(context_, *check, compiled_);
    if (!source) return std::unexpected(std::move(source).error());
    // Rendered although it may never be asked: a mistake in it is a mistake all the same.
    SLIPWAY_TRY(check->compares() ? compare(*check, *source, *metric)
                                  : hold_against_range(*check, *source, *metric));
    if (*metric) compiled_.spec.metrics.push_back(std::move(**metric));
    return {};
  }

  Result<SourceMetric> asked(const MetricCheck& check, SourceMetric source,
                             std::string_view variant) {
    auto query = render(context_, check, variant, check.query, check.field + ".query");
    if (!query) return std::unexpected(std::move(query).error());
    source.query = std::move(*query);
    return source;
  }

  Result<CompareSide> side(const MetricCheck& check, const SourceMetric& source,
                           std::string_view variant) {
    auto filled = asked(check, source, variant);
    if (!filled) return std::unexpected(std::move(filled).error());
    CompareSide side{.source = std::move(*filled)};
    if (check.exposure.empty()) return side;
    auto exposure = render(context_, check, variant, check.exposure, check.field + ".exposure");
    if (!exposure) return std::unexpected(std::move(exposure).error());
    side.exposure = std::move(*exposure);
    return side;
  }

  std::string_view own_variant() const {
    return context_.options.variant ? std::string_view(*context_.options.variant) : kPrimary;
  }

  Result<> hold_against_range(const MetricCheck& check, const SourceMetric& source,
                              std::optional<Metric>& metric) {
    auto filled = asked(check, source, own_variant());
    if (!filled) return std::unexpected(std::move(filled).error());
    if (!metric) return {};
    metric->provider.source = std::move(*filled);
    metric->check->expected = api::argo::Expected{.min = check.min, .max = check.max};
    return {};
  }

  Result<> compare(const MetricCheck& check, const SourceMetric& source,
                   std::optional<Metric>& metric) {
    const bool previous = check.strategy == "PREVIOUS";
    auto experiment = side(check, source, previous ? own_variant() : kCanary);
    if (!experiment) return std::unexpected(std::move(experiment).error());
    auto control =
        previous ? experiment
                 : side(check, source, check.strategy == "CANARY_BASELINE" ? kBaseline : kPrimary);
    if (!control) return std::unexpected(std::move(control).error());
    if (!metric) return {};
    if (previous) SLIPWAY_TRY(look_back(check, *control, *metric));
    CompareMetric comparison{.control = std::move(*control),
                             .experiment = std::move(*experiment),
                             .deviation = check.deviation,
                             .method = compared_by(check),
                             .alpha = check.alpha,
                             .margin = check.margin,
                             .step = as_text(step_of(check.interval))};
    const StagePoints points =
        stage_points(check.interval, metric->count->number, comparison.experiment.source->query);
    if (check.method.empty() && !points.enough())
      judge_each_look(check, points, comparison, *metric);
    if (!judge::is_sequential(comparison.method)) {
      comparison.window = as_text(check.interval);
      comparison.sequential = "none";
    } else if (metric->count->number > judge::kMaxLooks) {
      comparison.sequential = "anytime";
    }
    if (comparison.method == kReleasedMannWhitney && !comparison.margin) comparison.margin = 0;
    metric->provider.compare = std::move(comparison);
    return {};
  }

  std::string compared_by(const MetricCheck& check) const {
    std::string method = method_of(check, context_.options.compat);
    return method == "mann-whitney" ? std::string(kReleasedMannWhitney) : method;
  }

  // A stage too short for the accumulating test would pass whatever it saw. Its document asks for
  // Mann-Whitney at each interval, so that is what it gets, with one false-rollback rate for all of
  // them.
  void judge_each_look(const MetricCheck& check, const StagePoints& points,
                       CompareMetric& comparison, const Metric& metric) {
    if (comparison.method == kReleasedMannWhitney) return;
    const auto looks = static_cast<double>(metric.count->number);
    const auto metrics = static_cast<double>(stage_.analysis->metrics.size());
    comparison.method = "mann-whitney";
    if (!comparison.alpha) comparison.alpha = kStageAlpha / looks / metrics;
    warn(check.field, too_short(points, true));
  }

  // The control of PREVIOUS is the same question as much earlier as this run begins after the
  // recorded one; without a record there is nothing to compare with yet.
  Result<> look_back(const MetricCheck& check, CompareSide& control, Metric& metric) {
    const PipecdOptions& options = context_.options;
    if (compiled_.application.empty())
      return fail(ErrorCode::kInvalid,
                  "is missing; PREVIOUS is recorded by the application's name: write it, or give "
                  "--arg App.Name=NAME",
                  "spec.name");
    const auto found =
        options.history == nullptr
            ? std::nullopt
            : find_previous(*options.history, compiled_.application, compiled_.stage, metric.name);
    if (!found || found->run->started >= options.now) {
      control = CompareSide{.recorded = api::argo::Recorded{{json::Array()}},
                            .exposure = control.exposure};
      warn(check.field, options.history == nullptr
                            ? "has no earlier analysis to compare with, and this one is not "
                              "recorded for the next: give --history FILE each time"
                            : "has no earlier analysis to compare with yet; this one is recorded "
                              "if it passes");
      // PipeCD ends at the first evaluation; the others are taken for the next one to compare with.
      if (options.compat) {
        metric.count = api::IntOrString::of(1);
        metric.failure_limit =
            api::IntOrString::of(std::min<std::int64_t>(metric.failure_limit->number, 1));
        metric.inconclusive_limit = api::IntOrString::of(1);
      }
      return {};
    }
    control.ago = as_text(options.now - found->run->started);
    json::Array points;
    if (found->metric->query == control.source->query) {
      for (const auto& [time, value] : found->metric->points)
        points.push_back(json::Array{time, value});
    } else {
      warn(check.field,
           "asks another query than the earlier analysis did: what that one recorded "
           "does not serve, only what the provider still has");
    }
    warn_of_short_record(check, *found, points);
    control.recorded = api::argo::Recorded{{std::move(points)}};
    return {};
  }

  // Longer stages than the earlier one are compared to their end only if the provider remembers.
  void warn_of_short_record(const MetricCheck& check, const Previous& found,
                            const json::Array& points) {
    if (points.empty()) return;
    const double end = found.metric->points.back().first;
    const double start =
        std::chrono::duration<double>(found.run->started.time_since_epoch()).count();
    const auto looks = evaluations(stage_.analysis->duration, check.interval);
    const double needed =
        std::chrono::duration<double>(check.interval).count() * static_cast<double>(looks - 1);
    if (end - start < needed)
      warn(
          check.field,
          "lasts longer than what the earlier analysis recorded; what comes after that is compared "
          "only if the provider still has it");
  }

  Result<> add_log(const LogCheck& entry, std::size_t index) {
    auto check = resolve(entry, context_.templates);
    if (!check) return std::unexpected(std::move(check).error());
    auto metric = timed(*check, name_for(*check, "log", index));
    if (!metric) return std::unexpected(std::move(metric).error());
    auto source = log_source(context_, *check);
    if (!source) return std::unexpected(std::move(source).error());
    if (!*metric) return {};
    (*metric)->provider.source = std::move(*source);
    (*metric)->check->expected = api::argo::Expected{.max = 0};
    compiled_.spec.metrics.push_back(std::move(**metric));
    return {};
  }

  Result<> add_http(const HttpCheck& entry, std::size_t index) {
    auto check = resolve(entry, context_.templates);
    if (!check) return std::unexpected(std::move(check).error());
    auto metric = timed(*check, name_for(*check, "http", index));
    if (!metric) return std::unexpected(std::move(metric).error());
    if (!*metric) return {};
    const auto code = static_cast<double>(check->expected_code);
    (*metric)->provider.source = http_source(*check);
    (*metric)->check->expected = api::argo::Expected{.min = code, .max = code};
    compiled_.spec.metrics.push_back(std::move(**metric));
    return {};
  }

  const Context& context_;
  const Stage& stage_;
  Compiled compiled_ = {};
  std::set<std::string> names_ = {};
  std::int64_t kept_ = kMinKept;
};

}  // namespace

Result<Compiled> compile_stage(const Context& context, const Stage& stage) {
  return StageCompiler(context, stage).run();
}

}  // namespace slipway::analysis::pipecd
