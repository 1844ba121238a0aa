#include "analysis/argo/lint_argo_advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/argo/usage.h"
#include "analysis/compare/look.h"
#include "analysis/compare/settings.h"
#include "analysis/run_rules.h"
#include "api/lint/lint_report.h"
#include "api/lint/list_items.h"
#include "api/object.h"
#include "api/rules/argo_rules.h"
#include "judge/sequential/tau.h"

namespace slipway::analysis {

namespace {

using namespace api::argo;

constexpr double kUsualAlpha = 0.05;
constexpr Duration kUsualScrape = std::chrono::seconds(15);
constexpr int kMinScrapes = 8;  // in the range of a count
// Shares from here on are as good as equal.
constexpr int kEqualShare = 40;

// A text that is not there, or waits for arguments, is nothing.
std::optional<Duration> known(const api::GoDuration& text) {
  auto value = text.value();
  if (text.empty() || !value || *value <= Duration::zero()) return std::nullopt;
  return *value;
}

std::string shown(Duration duration) {
  std::string text = format_duration(duration);
  if (text.ends_with("m0s")) text.erase(text.size() - 2);
  if (text.ends_with("h0m")) text.erase(text.size() - 2);
  return text;
}

// How a comparison looks, as far as the manifest says.
struct Looking {
  Duration step = {};
  std::optional<Duration> window = {};  // of one look
  std::optional<std::int64_t> looks = {};
  Duration range = {};  // that a point averages over
  bool one_shot = false;

  double tau() const { return one_shot ? 1 : judge::range_over_step(range, step); }
  // Points of all that is judged together.
  std::optional<double> points() const {
    if (!window || !looks) return std::nullopt;
    const double each =
        std::floor(static_cast<double>(window->count()) / static_cast<double>(step.count()));
    return (one_shot ? each : each * static_cast<double>(*looks)) + 1;
  }
};

Looking looking_of(const Metric& metric) {
  const CompareMetric& compare = *metric.provider.compare;
  Looking out{.looks = count_of(metric), .one_shot = is_one_shot(compare)};
  if (metric.count && metric.count->is_text && is_templated(metric.count->text)) out.looks.reset();
  out.window = known(compare.window);
  if (!out.window) out.window = known(metric.interval);
  out.step = look_step(metric);
  for (const CompareSide* side : {&compare.control, &compare.experiment})
    out.range = std::max(out.range, judge::longest_range(promql_of(*side)).value_or(Duration{}));
  return out;
}

void advise_overlap(const Metric& metric, const std::string& path, api::LintReport& report) {
  const CompareMetric& compare = *metric.provider.compare;
  const Looking looking = looking_of(metric);
  if (compare.tau || looking.range <= looking.step || is_templated(compare.step.text)) return;
  report.warning(
      path + (compare.step.empty() ? "" : ".step"),
      fmt::format("the query averages over {0} and is asked every {1}: neighbouring points share "
                  "most of what they say{2}; write step: {0}",
                  shown(looking.range), shown(looking.step),
                  looking.one_shot
                      ? ", and this method takes them for independent"
                      : fmt::format(", and {:.3g} of them count as one",
                                    judge::range_over_step(looking.range, looking.step))));
}

// The least p that `points` a side can give.
double least_p(double points, bool one_shot) {
  if (points < 1) return 1;
  if (!one_shot) return std::exp2(-points);
  const double ways = std::lgamma(2 * points + 1) - 2 * std::lgamma(points + 1);
  return std::exp(-ways);
}

void advise_points(const Metric& metric, const std::string& path, api::LintReport& report) {
  const CompareMetric& compare = *metric.provider.compare;
  const Looking looking = looking_of(metric);
  // Counts say much with few points; of other shapes only the data tell.
  const auto points = looking.points();
  if (!points || compare.method == "counts" || compare.method == "distribution") return;
  if (!compare.control.exposure.empty() || is_templated(compare.step.text)) return;
  const double effective = std::floor(*points / std::max(looking.tau(), compare.tau.value_or(1)));
  const bool either = compare.deviation != "HIGH" && compare.deviation != "LOW";
  const double alpha = compare.alpha.value_or(kUsualAlpha) / (either ? 2 : 1);
  if (least_p(effective, looking.one_shot) <= alpha) return;
  report.warning(path,
                 fmt::format("{} points{} are too few ever to fail at alpha {}; look for longer, "
                             "more often, or with a smaller step",
                             effective, looking.one_shot ? " a look" : " in all",
                             compare.alpha.value_or(kUsualAlpha)));
}

void advise_window(const Metric& metric, const std::string& path, api::LintReport& report) {
  const CompareMetric& compare = *metric.provider.compare;
  const auto window = known(compare.window), interval = known(metric.interval);
  if (is_one_shot(compare) || !window || !interval || *window <= *interval) return;
  report.warning(path + ".window",
                 fmt::format("window ({}) is longer than interval ({}): looks overlap, and the "
                             "same points are counted again; leave it out",
                             shown(*window), shown(*interval)));
}

// What n scrapes have seen stands for n / (n - 1) of it, and so does its scatter: counts that are
// taken for counts, and are not, fail too often. A manifest does not say how often Prometheus
// scrapes; the usual interval is supposed.
void advise_counts(const Metric& metric, const std::string& path, api::LintReport& report) {
  const CompareMetric& compare = *metric.provider.compare;
  const bool both = !compare.control.exposure.empty() && !compare.experiment.exposure.empty();
  if (compare.method != "counts" && !(compare.method.empty() && both)) return;
  for (const CompareSide* side : {&compare.control, &compare.experiment}) {
    const std::string_view promql = promql_of(*side);
    const Duration range = judge::longest_range(promql).value_or(Duration{});
    if (!extrapolates(promql) || range <= Duration::zero() || range >= kMinScrapes * kUsualScrape)
      continue;
    return report.warning(
        path,
        fmt::format("counts by rate or increase over {0}, which stretch what a few scrapes "
                    "have seen to the whole range: chance then fails too often; write x - x "
                    "offset {0} instead, or a range and step of at least {1} scrape intervals",
                    shown(range), kMinScrapes));
  }
}

// A division outside of strings, selectors and ranges.
bool divides(std::string_view promql) {
  char quote = 0;
  int depth = 0;
  for (std::size_t i = 0; i < promql.size(); ++i) {
    const char c = promql[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'' || c == '`') {
      quote = c;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == '/' && depth == 0) {
      return true;
    }
  }
  return false;
}

bool compares_shares(const CompareMetric& compare) {
  return compare.method != "counts" && compare.method != "distribution" &&
         compare.control.exposure.empty() && compare.experiment.exposure.empty() &&
         (divides(promql_of(compare.control)) || divides(promql_of(compare.experiment)));
}

void advise_shares(const Metric& metric, const std::string& path,
                   const std::vector<TemplateUse>& uses, api::LintReport& report) {
  if (!compares_shares(*metric.provider.compare)) return;
  for (const TemplateUse& use : uses) {
    if (!use.weight || *use.weight >= kEqualShare) continue;
    return report.warning(
        path, fmt::format("compares shares by rank while the {} gives the canary {} % of the "
                          "traffic: the smaller side scatters more, and fails too often; write "
                          "method: counts, the events as query and the requests as exposure",
                          use.user, *use.weight));
  }
  const std::string_view control = promql_of(metric.provider.compare->control);
  for (const std::string_view word : {"stable", "primary"})
    if (control.find(word) != std::string_view::npos)
      return report.warning(
          path, fmt::format("compares shares with \"{}\" by rank, which is right only when both "
                            "have the same traffic; else write method: counts, the events as query "
                            "and the requests as exposure, or compare with a baseline",
                            word));
}

void advise_limits(const Metric& metric, const std::string& path, api::LintReport& report) {
  if (!metric.failure_limit || !metric.count) return;
  if (is_templated(metric.failure_limit->text) || is_templated(metric.count->text)) return;
  const std::int64_t count = metric.count->int_value();
  const std::int64_t limit = metric.failure_limit->int_value();
  if (count > 0 && limit >= count)
    report.warning(
        path + ".failureLimit",
        fmt::format("failureLimit ({}) is not below count ({}): it can never fail", limit, count));
}

void advise_metric(const Metric& metric, const std::string& path,
                   const std::vector<TemplateUse>& uses, api::LintReport& report) {
  advise_limits(metric, path, report);
  if (!metric.provider.compare) return;
  const std::string place = path + ".provider.compare";
  advise_overlap(metric, place, report);
  advise_points(metric, place, report);
  advise_window(metric, place, report);
  advise_counts(metric, place, report);
  advise_shares(metric, place, uses, report);
}

// Measurements of a template that the experiment's end cuts off.
void advise_duration(const TemplateUse& use, const Metric& metric, api::LintReport& report) {
  const Duration delay = initial_delay_of(metric), interval = interval_of(metric);
  const std::int64_t count = count_of(metric).value_or(1);
  const double needed = static_cast<double>(delay.count()) +
                        static_cast<double>(count - 1) * static_cast<double>(interval.count());
  if (delay >= *use.duration)
    return report.warning(use.field, fmt::format("metric \"{}\" is first measured after {}, and "
                                                 "the experiment ends after {}",
                                                 metric.name, shown(delay), shown(*use.duration)));
  if (needed >= static_cast<double>(use.duration->count()))
    return report.warning(
        use.field,
        fmt::format("metric \"{}\" takes {} measurements, {} apart, and the experiment ends after "
                    "{}; ask more often, or make the analysis requiredForCompletion",
                    metric.name, count, shown(interval), shown(*use.duration)));
  if (!count_of(metric) && interval >= *use.duration)
    report.warning(use.field, fmt::format("metric \"{}\" is asked every {}, and the experiment "
                                          "ends after {}: it is measured once",
                                          metric.name, shown(interval), shown(*use.duration)));
}

void advise_user(const json::Object& object, const std::vector<NamedTemplate>& templates,
                 api::LintReport& report) {
  for (const TemplateUse& use : uses_of(object)) {
    if (!use.duration) continue;
    for (const NamedTemplate& named : templates)
      if (is_meant(use.reference, named))
        for (const Metric& metric : named.spec.metrics) advise_duration(use, metric, report);
  }
}

std::vector<TemplateUse> uses_in(const std::vector<const yaml::Document*>& documents,
                                 const NamedTemplate& named) {
  std::vector<TemplateUse> out;
  for (const yaml::Document* document : documents)
    for (const api::ManifestItem& item : api::list_items(*document))
      if (item.value.is_object())
        for (TemplateUse& use : uses_of(item.value.get_object()))
          if (is_meant(use.reference, named)) out.push_back(std::move(use));
  return out;
}

void advise_metrics(const json::Value& value, std::string_view kind,
                    const std::vector<const yaml::Document*>& all, api::LintReport& report) {
  api::Findings ignored;
  const bool is_run = kind == "AnalysisRun";
  const auto metrics =
      is_run ? api::decode_leniently<AnalysisRun>(value, {}, ignored).spec.metrics
             : api::decode_leniently<AnalysisTemplate>(value, {}, ignored).spec.metrics;
  const NamedTemplate named{.name = std::string(api::name_of(value.get_object())),
                            .of_cluster = kind == "ClusterAnalysisTemplate"};
  const auto uses = is_run ? std::vector<TemplateUse>() : uses_in(all, named);
  for (std::size_t i = 0; i < metrics.size(); ++i)
    advise_metric(metrics[i], fmt::format("spec.metrics[{}]", i), uses, report);
}

}  // namespace

std::vector<api::Problem> lint_argo_advice(const yaml::Document& document,
                                           const std::vector<const yaml::Document*>& others) {
  std::vector<const yaml::Document*> all = others;
  if (std::ranges::find(all, &document) == all.end()) all.push_back(&document);
  std::vector<api::Problem> problems;
  for (const api::ManifestItem& item : api::list_items(document)) {
    if (!item.value.is_object()) continue;
    const api::Gvk gvk = api::gvk_of(item.value.get_object());
    if (gvk.group != "argoproj.io") continue;
    api::LintReport report(document, item.path);
    if (gvk.kind == "AnalysisRun" || gvk.kind.ends_with("AnalysisTemplate"))
      advise_metrics(item.value, gvk.kind, all, report);
    else
      advise_user(item.value.get_object(), templates_in(all), report);
    std::ranges::copy(report.problems(), std::back_inserter(problems));
  }
  return problems;
}

}  // namespace slipway::analysis
