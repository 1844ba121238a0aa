#include "analysis/pipecd/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/pipecd/context.h"

namespace slipway::analysis::pipecd {

namespace {

// Which variants run when a stage begins, and how much of them.
struct Running {
  bool canary = false, baseline = false;
  std::optional<Fields::Amount> canary_amount = {}, baseline_amount = {};
  std::optional<double> canary_traffic = {};  // per cent

  void pass(const Stage& stage) {
    if (stage.name == "K8S_CANARY_ROLLOUT") canary = true, canary_amount = stage.amount;
    if (stage.name == "K8S_BASELINE_ROLLOUT") baseline = true, baseline_amount = stage.amount;
    if (stage.name == "K8S_CANARY_CLEAN") canary = false, canary_amount.reset();
    if (stage.name == "K8S_BASELINE_CLEAN") baseline = false, baseline_amount.reset();
    if (stage.name == "K8S_TRAFFIC_ROUTING")
      canary_traffic = stage.amount ? std::optional(stage.amount->number) : std::nullopt;
  }
};

std::string shown(const std::optional<Fields::Amount>& amount) {
  if (!amount) return "1";
  return fmt::format("{}{}", amount->number, amount->percent ? "%" : "");
}

bool same(const std::optional<Fields::Amount>& a, const std::optional<Fields::Amount>& b) {
  return shown(a) == shown(b);
}

// Less than a share that comes near to one half.
constexpr double kFairShare = 40;

void advise_traffic(const MetricCheck& metric, const Running& running, Report& report) {
  const std::string field = metric.field + ".strategy";
  if (metric.strategy == "CANARY_BASELINE" && running.canary && running.baseline &&
      !same(running.canary_amount, running.baseline_amount))
    report.warning(field,
                   fmt::format("the canary has {} replicas and the baseline {}: unequal traffic "
                               "makes counts and sums differ by itself; give both the same",
                               shown(running.canary_amount), shown(running.baseline_amount)));
  if (metric.strategy != "CANARY_PRIMARY" || !running.canary) return;
  std::optional<double> share = running.canary_traffic;
  if (!share && running.canary_amount && running.canary_amount->percent)
    share = 100 * running.canary_amount->number / (100 + running.canary_amount->number);
  if (share && *share < kFairShare)
    report.warning(field,
                   fmt::format("the canary gets about {:.0f}% of the traffic and the primary the "
                               "rest: counts and sums differ by itself, and so may rates and "
                               "latencies",
                               *share));
}

void advise_variants(const MetricCheck& metric, const Running& running, Report& report) {
  const std::string field = metric.field + ".strategy";
  if (metric.strategy == "CANARY_BASELINE" && !running.baseline)
    report.warning(field,
                   "no baseline runs here: put a K8S_BASELINE_ROLLOUT stage before this one; the "
                   "primary does not take its place");
  if (metric.strategy.starts_with("CANARY") && !running.canary)
    report.warning(field, "no canary runs here: put a K8S_CANARY_ROLLOUT stage before this one");
  advise_traffic(metric, running, report);
}

void advise_schedule(const Check& check, Duration duration, Report& report) {
  if (!check.template_name.empty() || check.interval <= Duration::zero() ||
      duration <= Duration::zero())
    return;
  if (evaluations(duration, check.interval) == 0)
    report.warning(check.field + ".interval",
                   fmt::format("{} is not shorter than the duration {}: nothing is ever "
                               "evaluated, and the stage passes",
                               brief(check.interval), brief(duration)));
}

// A comparison over all looks fails at once, whatever its limit is.
void advise_limit(const Check& check, Duration duration, Report& report) {
  if (!check.template_name.empty()) return;
  const std::int64_t looks = evaluations(duration, check.interval);
  if (looks > 0 && check.failure_limit >= looks)
    report.warning(check.field + ".failureLimit",
                   fmt::format("{} is not below the {} evaluations: it can never fail",
                               check.failure_limit, looks));
}

void advise_stage(const Stage& stage, const Running* running, const Args& app_args,
                  Report& report) {
  const AnalysisStage& analysis = *stage.analysis;
  if (analysis.empty())
    report.warning(stage.field, "has no metrics, logs or https, and passes at once");
  if (analysis.duration < Duration::zero())
    report.warning(stage.field + ".with.duration", "is negative: the stage passes at once");
  for (const MetricCheck& metric : analysis.metrics) {
    advise_schedule(metric, analysis.duration, report);
    if (!metric.compares()) advise_limit(metric, analysis.duration, report);
    advise_metric(metric, analysis.duration, &app_args, report);
    if (running != nullptr && metric.template_name.empty())
      advise_variants(metric, *running, report);
  }
  for (const LogCheck& log : analysis.logs) {
    advise_schedule(log, analysis.duration, report);
    advise_limit(log, analysis.duration, report);
  }
  for (const HttpCheck& http : analysis.https) {
    advise_schedule(http, analysis.duration, report);
    advise_limit(http, analysis.duration, report);
  }
}

}  // namespace

void advise(const Application& application, Report& report) {
  // Other platforms start their variants by other stages.
  const bool kubernetes = application.kind == "KubernetesApp" ||
                          std::ranges::any_of(application.stages, [](const Stage& stage) {
                            return stage.name.starts_with("K8S_");
                          });
  Running running;
  for (const Stage& stage : application.stages) {
    running.pass(stage);
    if (stage.analysis)
      advise_stage(stage, kubernetes ? &running : nullptr, application.app_args, report);
  }
}

void advise(const TemplateSet& templates, Report& report) {
  for (const auto& [name, metric] : templates.metrics) advise_metric(metric, {}, nullptr, report);
}

void advise(const std::vector<AnalysisProvider>& providers, Report& report) {
  constexpr std::string_view kSites[] = {"",
                                         "datadoghq.com",
                                         "us3.datadoghq.com",
                                         "us5.datadoghq.com",
                                         "datadoghq.eu",
                                         "ddog-gov.com"};
  for (std::size_t i = 0; i < providers.size(); ++i) {
    const AnalysisProvider& one = providers[i];
    if (one.type == "DATADOG" && std::ranges::find(kSites, one.address) == std::end(kSites))
      report.warning(one.field + ".config.address",
                     fmt::format("PipeCD fails at every query of the site \"{}\"; it knows "
                                 "datadoghq.com, us3.datadoghq.com, us5.datadoghq.com, "
                                 "datadoghq.eu and ddog-gov.com",
                                 one.address));
    if (one.files.contains("username") != one.files.contains("password"))
      report.warning(one.field + ".config",
                     "usernameFile and passwordFile serve together only: there is no "
                     "authentication now");
    for (std::size_t j = 0; j < i; ++j)
      if (providers[j].name == one.name)
        report.warning(one.field + ".name",
                       fmt::format("\"{}\" is the name of an earlier provider, which is the one "
                                   "that is found",
                                   one.name));
  }
}

}  // namespace slipway::analysis::pipecd
