#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

#include "analysis/pipecd/advice.h"
#include "analysis/pipecd/context.h"
#include "judge/sequential/plan.h"
#include "lang/template/no_value.h"

namespace slipway::analysis::pipecd {

namespace {

using namespace std::chrono;

constexpr std::int64_t kFewestForMannWhitney = 4;  // with three on each side p stays above 0.05
constexpr Duration kLongestRange = hours(24 * 3650);

Duration unit_of(std::string_view& text) {
  constexpr std::pair<std::string_view, Duration> kUnits[] = {
      {"ms", milliseconds(1)}, {"s", seconds(1)},    {"m", minutes(1)},     {"h", hours(1)},
      {"d", hours(24)},        {"w", hours(24 * 7)}, {"y", hours(24 * 365)}};
  for (const auto& [name, length] : kUnits) {
    if (!text.starts_with(name)) continue;
    text.remove_prefix(name.size());
    return length;
  }
  return {};
}

// "1h30m]…", "5m:30s]…"; zero when it is no range.
Duration range_at(std::string_view text) {
  Duration total{};
  while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0) {
    std::int64_t number = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
    if (end.ec != std::errc()) return {};
    text.remove_prefix(static_cast<std::size_t>(end.ptr - text.data()));
    const Duration unit = unit_of(text);
    if (unit == Duration::zero() || number > kLongestRange / unit) return {};
    total = std::min(total + number * unit, kLongestRange);
  }
  return text.starts_with(']') || text.starts_with(':') ? total : Duration{};
}

// Every name that `text` reads of the application's arguments, with some value.
Args app_args_in(std::string_view text) {
  Args args;
  for (const std::string_view of : {".AppArgs.", ".AppCustomArgs."})
    for (auto at = text.find(of); at != std::string_view::npos; at = text.find(of, at + 1)) {
      std::string_view name = text.substr(at + of.size());
      name = name.substr(0, name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRST"
                                                   "UVWXYZ0123456789_"));
      args.emplace(name, "x");
    }
  return args;
}

// The query for each side, or nothing when it cannot be rendered, which is said then.
std::optional<std::pair<std::string, std::string>> both_sides(const MetricCheck& metric,
                                                              const Args* app_args,
                                                              Report& report) {
  const bool canary = metric.strategy.starts_with("CANARY");
  Context nobody;
  nobody.application.app_args = app_args == nullptr ? app_args_in(metric.query) : *app_args;
  const std::string field = metric.field + ".query";
  auto mine = render(nobody, metric, canary ? kCanary : kPrimary, metric.query, field);
  auto other = render(nobody, metric, metric.strategy == "CANARY_BASELINE" ? kBaseline : kPrimary,
                      metric.query, field);
  if (mine && other) return std::pair(std::move(*mine), std::move(*other));
  const Error& error = mine ? other.error() : mine.error();
  report.error(field, fmt::format("cannot be rendered: {}", error.message));
  return std::nullopt;
}

void advise_words(const MetricCheck& metric, Report& report) {
  if (metric.strategy == "CANARY_PRIMARY")
    report.warning(metric.field + ".strategy",
                   "CANARY_PRIMARY compares new Pods under little traffic with old ones under "
                   "much; start a baseline (K8S_BASELINE_ROLLOUT) and write CANARY_BASELINE");
  if (metric.compares() && metric.has_expected)
    report.warning(metric.field + ".expected",
                   fmt::format("serves THRESHOLD only; {} passes over it", metric.strategy));
  if (metric.compares()) return;
  if (metric.has_deviation)
    report.warning(metric.field + ".deviation",
                   "serves comparisons only; THRESHOLD passes over it");
  if (!metric.method.empty())
    report.warning(metric.field + ".method", "serves comparisons only; THRESHOLD passes over it");
}

// The method it is going to be judged by.
std::string judged_by(const MetricCheck& metric, Duration duration) {
  const std::int64_t looks = evaluations(duration, metric.interval);
  const bool falls_back = metric.method.empty() && looks > 0 &&
                          !stage_points(metric.interval, looks, metric.query).enough();
  return falls_back ? "mann-whitney" : method_of(metric, false);
}

void advise_range(const MetricCheck& metric, Duration duration, Report& report) {
  const Duration range = longest_range(metric.query), step = step_of(metric.interval);
  if (step <= Duration::zero() || range <= step) return;
  const std::string effect =
      judged_by(metric, duration) == "mann-whitney"
          ? "mann-whitney takes them for independent, and fails more often than it says"
          : "they count for fewer, and a difference shows later";
  report.warning(metric.field + ".query",
                 fmt::format("the range [{}] is longer than the {} between points, so neighbours "
                             "share data: {}; write [{}]",
                             brief(range), brief(step), effect, brief(step)));
}

void advise_points(const MetricCheck& metric, Duration duration, Report& report) {
  if (method_of(metric, false) == "mann-whitney") {
    const std::int64_t points = points_per_look(metric.interval);
    if (points < kFewestForMannWhitney)
      report.warning(metric.field + ".interval",
                     fmt::format("gives {} points a side, of which mann-whitney can never fail; "
                                 "write at least 3m",
                                 points));
    return;
  }
  const std::int64_t looks = evaluations(duration, metric.interval);
  const StagePoints points = stage_points(metric.interval, looks, metric.query);
  if (looks > 0 && !points.enough())
    report.warning(metric.field + ".interval", too_short(points, metric.method.empty()));
}

void advise_values(const MetricCheck& metric, const std::pair<std::string, std::string>& sides,
                   Report& report) {
  std::string doubt = lang::no_value_doubt(sides.first);
  if (doubt.empty()) doubt = lang::no_value_doubt(sides.second);
  if (!doubt.empty()) report.warning(metric.field + ".query", doubt);
}

}  // namespace

Duration longest_range(std::string_view query) {
  Duration longest{};
  for (std::size_t at = query.find('['); at != std::string_view::npos; at = query.find('[', at + 1))
    longest = std::max(longest, range_at(query.substr(at + 1)));
  return longest;
}

void advise_metric(const MetricCheck& metric, Duration duration, const Args* app_args,
                   Report& report) {
  if (!metric.template_name.empty() || metric.query.empty()) return;
  advise_words(metric, report);
  const auto sides = both_sides(metric, app_args, report);
  if (sides) advise_values(metric, *sides, report);
  if (!metric.compares() || metric.interval <= Duration::zero()) return;
  if (sides && metric.strategy.starts_with("CANARY") && sides->first == sides->second)
    report.warning(metric.field + ".query",
                   "is the same for both variants, which are then never different; use "
                   "{{ .Variant.Name }}");
  advise_range(metric, duration, report);
  advise_points(metric, duration, report);
}

}  // namespace slipway::analysis::pipecd
