#include "analysis/report/section_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/report/axis.h"
#include "analysis/report/chart.h"
#include "analysis/report/html.h"
#include "analysis/report/plain_text.h"
#include "analysis/report/section.h"
#include "base/time.h"

namespace slipway::analysis::report {

namespace {

std::string figure(const std::string& picture, const std::string& caption) {
  if (picture.empty()) return {};
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", picture, caption);
}

std::string key(std::string_view style, std::string_view label) {
  return fmt::format("<span class=\"key {}\">{}</span> ", style, html_text(label));
}

constexpr std::string_view kExposure = "Exposure";

// What was counted, divided by what it was counted against, where both are there.
std::vector<SampleSeries> drawn_series(const Evidence& evidence) {
  std::vector<SampleSeries> drawn;
  for (const auto& series : evidence.series) {
    if (series.name.ends_with(kExposure)) continue;
    const auto exposure = std::ranges::find(evidence.series, series.name + std::string(kExposure),
                                            &SampleSeries::name);
    drawn.push_back(series);
    if (exposure == evidence.series.end()) continue;
    for (auto& point : drawn.back().points) {
      const auto against =
          std::ranges::lower_bound(exposure->points, point.seconds, {}, &SamplePoint::seconds);
      const bool there = against != exposure->points.end() && against->seconds == point.seconds;
      point.value = there && against->value > 0 ? point.value / against->value : kUnknown;
    }
  }
  return drawn;
}

std::string style_of(const SampleSeries& series, std::size_t index) {
  if (series.side == SampleSeries::Side::kControl) return "control";
  if (series.side == SampleSeries::Side::kExperiment) return "experiment";
  return fmt::format("other{}", index % 4);
}

const SampleSeries* side_of(const Evidence& evidence, SampleSeries::Side side) {
  const auto found = std::ranges::find(evidence.series, side, &SampleSeries::side);
  return found != evidence.series.end() && !found->points.empty() ? &*found : nullptr;
}

// How much later the control is drawn than it was: what was measured in the past is laid over what
// is measured now.
double control_shift(const Evidence& evidence) {
  const auto* control = side_of(evidence, SampleSeries::Side::kControl);
  const auto* experiment = side_of(evidence, SampleSeries::Side::kExperiment);
  if (control == nullptr || experiment == nullptr) return 0;
  const bool apart = control->points.back().seconds < experiment->points.front().seconds;
  return apart ? experiment->points.front().seconds - control->points.front().seconds : 0;
}

std::string text_of(double seconds) {
  constexpr double kMost = 9.0e9;  // what nanoseconds in 64 bits can say
  return format_duration(
      std::chrono::seconds(static_cast<std::int64_t>(std::clamp(seconds, -kMost, kMost))));
}

ChartLine line_of(const SampleSeries& series, std::size_t index, double shift) {
  ChartLine line{.label = series.name, .style = style_of(series, index), .dots = true};
  for (const auto& point : series.points)
    line.points.push_back(
        {.x = point.seconds + shift,
         .y = point.value,
         .title = fmt::format("{} {} {}", series.name, time_of_day(point.seconds, true),
                              short_number(point.value))});
  return line;
}

}  // namespace

std::string values_chart(const Evidence& evidence) {
  Chart chart{.title = fmt::format("{} over time", evidence.name)};
  std::string caption;
  const double shift = control_shift(evidence);
  const auto drawn = drawn_series(evidence);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const auto& series = drawn[i];
    const bool shifted = shift > 0 && series.side == SampleSeries::Side::kControl;
    chart.lines.push_back(line_of(series, i, shifted ? shift : 0));
    caption +=
        key(chart.lines.back().style,
            shifted ? fmt::format("{}, {} earlier", series.name, text_of(shift)) : series.name);
  }
  if (evidence.least) chart.levels.push_back({.y = *evidence.least, .label = "at least"});
  if (evidence.most) chart.levels.push_back({.y = *evidence.most, .label = "at most"});
  for (const auto& look : evidence.looks)
    chart.marks.push_back({.x = look.seconds,
                           .style = std::string(phase_style(look.phase)),
                           .title = fmt::format("look {}: {}", look.look, look.reason)});
  return figure(draw(chart), caption + "<span class=\"unit\">times are UTC</span>");
}

std::string statistic_chart(const Evidence& evidence) {
  ChartLine statistic{.label = "z", .style = "experiment", .dots = true};
  ChartLine above{.label = "boundary", .style = "boundary", .steps = true};
  ChartLine below = above;
  for (const auto& look : evidence.looks) {
    const auto at = static_cast<double>(look.look);
    statistic.points.push_back(
        {.x = at,
         .y = look.z,
         .title = fmt::format("look {}: z {}, boundary {}, p {}", look.look, short_number(look.z),
                              short_number(look.boundary), short_number(look.p))});
    above.points.push_back({.x = at, .y = look.boundary});
    below.points.push_back({.x = at, .y = -look.boundary});
  }
  Chart chart{.title = fmt::format("statistic of {} at each look", evidence.name),
              .x = Chart::X::kCount,
              .height = 160};
  chart.lines.push_back(std::move(statistic));
  if (evidence.direction != "decrease") chart.lines.push_back(std::move(above));
  if (evidence.direction != "increase") chart.lines.push_back(std::move(below));
  chart.levels.push_back({.y = 0, .label = "no difference"});
  return figure(draw(chart), key("experiment", "statistic z at each look") +
                                 key("boundary", "boundary: a look at or beyond it fails"));
}

std::string effect_chart(const Evidence& evidence) {
  if (evidence.looks.empty()) return {};
  const EvidenceLook& look = evidence.looks.back();
  std::string words;
  if (!std::isnan(look.shift))
    words = fmt::format("experiment − control: {}", short_number(look.shift));
  if (!std::isnan(look.low) && !std::isnan(look.high))
    words += fmt::format(" (from {} to {})", short_number(look.low), short_number(look.high));
  if (!std::isnan(look.ratio))
    words += fmt::format("{}means: {} of the control ({:+.1f} %)", words.empty() ? "" : "; ",
                         short_number(look.ratio), 100 * (look.ratio - 1));
  if (!std::isnan(look.cles))
    words += fmt::format("; higher in {:.0f} % of pairs", 100 * look.cles);
  if (words.empty()) return {};
  const auto picture = draw(Interval{.low = look.low,
                                     .high = look.high,
                                     .middle = look.shift,
                                     .title = fmt::format("effect: {}", words)});
  return fmt::format("<figure>\n{}<figcaption>{}</figcaption>\n</figure>\n", picture,
                     html_text(words));
}

}  // namespace slipway::analysis::report
