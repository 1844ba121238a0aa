#include "analysis/compare/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/run_rules.h"
#include "judge/sequential/tau.h"
#include "judge/several.h"

namespace slipway::analysis {
namespace {

using api::argo::AnalysisRunSpec;
using api::argo::CompareMetric;
using api::argo::CompareSide;
using api::argo::Metric;

// Starts over which a test without a planned end spreads its search for a late onset.
constexpr int kOpenEndedStarts = 60;

std::unexpected<Error> refuse_word(std::string_view field, std::string_view word,
                                   std::string_view right) {
  return fail(ErrorCode::kInvalid, fmt::format("\"{}\" is not known; write {}", word, right),
              fmt::format("compare.{}", field));
}

Result<judge::Direction> direction_of(const std::string& deviation) {
  if (deviation.empty() || deviation == "EITHER") return judge::Direction::kEither;
  if (deviation == "HIGH") return judge::Direction::kIncrease;
  if (deviation == "LOW") return judge::Direction::kDecrease;
  return refuse_word("deviation", deviation, "HIGH, LOW or EITHER");
}

// The rate of a metric that names none is its share of one for all such metrics of the run.
double alpha_of(const AnalysisRunSpec& spec, const CompareMetric& compare) {
  if (compare.alpha) return *compare.alpha;
  if (is_one_shot(compare)) return kOneShotAlpha;
  std::vector<double> weights;
  for (const Metric& metric : spec.metrics) {
    const auto& other = metric.provider.compare;
    if (other && !other->alpha && !is_one_shot(*other)) weights.push_back(1);
  }
  return judge::shared_alpha(judge::kDefaultFalseRollbackRate, weights).front();
}

// hsd, or hsd(gamma).
Result<> read_spending(std::string_view text, judge::Plan& plan) {
  const auto open = text.find('(');
  if (open != std::string_view::npos && text.starts_with("hsd(") && text.ends_with(")")) {
    const std::string_view number = text.substr(open + 1, text.size() - open - 2);
    const auto read = std::from_chars(number.begin(), number.end(), plan.gamma);
    if (read.ec != std::errc() || read.ptr != number.end())
      return refuse_word("spending", text, "hsd or hsd(-4)");
    text = text.substr(0, open);
  }
  if (text.empty()) return {};
  const auto spending = judge::parse_spending(text);
  if (!spending) return refuse_word("spending", text, "pocock, obf, linear, hsd or hsd(-4)");
  plan.spending = *spending;
  return {};
}

Result<> read_monitoring(const Metric& metric, const std::string& text, Settings& settings) {
  const auto looks = count_of(metric);
  const bool plannable = looks && *looks <= judge::kMaxLooks;
  judge::Plan& plan = settings.plan;
  plan.monitoring = plannable ? judge::Monitoring::kGroupSequential : judge::Monitoring::kAnytime;
  if (!text.empty()) {
    const auto wanted = judge::parse_monitoring(text);
    if (!wanted) return refuse_word("sequential", text, "gst, anytime or none");
    plan.monitoring = *wanted;
  }
  if (plan.monitoring == judge::Monitoring::kGroupSequential && !plannable)
    return fail(ErrorCode::kInvalid,
                fmt::format("gst plans its looks: give the metric a count of at most {}, or write "
                            "anytime",
                            judge::kMaxLooks),
                "compare.sequential");
  settings.planned = plannable;
  plan.planned_looks = plannable ? static_cast<int>(*looks) : kOpenEndedStarts;
  plan.late_onset = plan.monitoring == judge::Monitoring::kAnytime;
  return {};
}

Result<Method> method_of(const CompareMetric& compare, judge::Engine& engine) {
  if (compare.method.empty()) return Method::kByData;
  if (compare.method == "mann-whitney" || compare.method == kReleasedMannWhitney)
    return Method::kMannWhitney;
  if (compare.method == "kayenta") return Method::kKayenta;
  const auto known = judge::parse_engine(compare.method);
  if (!known)
    return refuse_word("method", compare.method,
                       "signed-rank, stratified-rank, counts, distribution, mann-whitney, "
                       "mann-whitney-released or kayenta");
  if (*known == judge::Engine::kCounts &&
      (compare.control.exposure.empty() || compare.experiment.exposure.empty()))
    return fail(ErrorCode::kInvalid,
                "counts are counted against something: give both sides an exposure",
                "compare.method");
  engine = *known;
  return Method::kSequential;
}

// Points closer together than the range they average over share most of it.
Result<double> tau_of(const CompareMetric& compare, Duration step) {
  double tau = std::max(1.0, compare.tau.value_or(1));
  for (const CompareSide* side : {&compare.control, &compare.experiment}) {
    for (std::string_view query : {promql_of(*side), std::string_view(side->exposure)}) {
      if (promql_of(*side).empty()) continue;
      const auto range = judge::longest_range(query);
      if (!range) return std::unexpected(range.error());
      if (step > Duration::zero()) tau = std::max(tau, judge::range_over_step(*range, step));
    }
  }
  return tau;
}

// Where a word ends and a call of it may begin.
bool calls(std::string_view text, std::string_view function) {
  const auto is_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ':';
  };
  for (auto at = text.find(function); at != std::string_view::npos;
       at = text.find(function, at + 1)) {
    if (at > 0 && is_name(text[at - 1])) continue;
    auto next = at + function.size();
    while (next < text.size() && (text[next] == ' ' || text[next] == '\n')) ++next;
    if (next < text.size() && text[next] == '(') return true;
  }
  return false;
}

}  // namespace

bool is_one_shot(const CompareMetric& compare) {
  return compare.method == "mann-whitney" || compare.method == kReleasedMannWhitney ||
         compare.method == "kayenta";
}

std::string_view promql_of(const CompareSide& side) {
  if (side.prometheus) return side.prometheus->query;
  if (side.source && side.source->type == "prometheus") return side.source->query;
  return {};
}

double counts_per_point(std::string_view promql, Duration step) {
  const bool rate = calls(promql, "rate") || calls(promql, "irate");
  return rate ? std::chrono::duration<double>(step).count() : 1;
}

bool extrapolates(std::string_view promql) {
  return calls(promql, "rate") || calls(promql, "irate") || calls(promql, "increase");
}

judge::Plan plan_for(const Settings& settings, judge::Engine engine) {
  judge::Plan plan = settings.plan;
  plan.engine = engine;
  plan.margin = settings.margin.value_or(engine == judge::Engine::kCounts ? 0 : kDefaultMargin);
  return plan;
}

Result<Settings> settings_of(const AnalysisRunSpec& spec, std::size_t index, Duration step) {
  const Metric& metric = spec.metrics[index];
  const CompareMetric& compare = *metric.provider.compare;
  Settings settings{.margin = compare.margin, .released = compare.method == kReleasedMannWhitney};
  auto method = method_of(compare, settings.plan.engine);
  if (!method) return std::unexpected(std::move(method).error());
  settings.method = *method;
  auto direction = direction_of(compare.deviation);
  if (!direction) return std::unexpected(std::move(direction).error());
  settings.plan.direction = *direction;
  settings.plan.alpha = alpha_of(spec, compare);
  SLIPWAY_TRY(read_spending(compare.spending, settings.plan));
  if (settings.accumulates()) SLIPWAY_TRY(read_monitoring(metric, compare.sequential, settings));
  auto tau = tau_of(compare, step);
  if (!tau) return std::unexpected(std::move(tau).error());
  settings.plan.tau = *tau;
  SLIPWAY_TRY(judge::check(plan_for(settings, settings.plan.engine)));
  return settings;
}

}  // namespace slipway::analysis
