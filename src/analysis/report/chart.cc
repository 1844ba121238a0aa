#include "analysis/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/report/axis.h"
#include "analysis/report/html.h"
#include "analysis/report/plain_text.h"

namespace slipway::analysis::report {

namespace {

constexpr double kWidth = 720, kLeft = 64, kRight = 12, kTop = 10, kBottom = 24;
// Room around one point alone.
constexpr double kSecondsAround = 30;
constexpr double kLittle = 1e-6;
constexpr double kHalf = 0.5;   // of a step
constexpr double kRoom = 0.08;  // above and below the lines
constexpr std::size_t kMaxMarks = 200;
constexpr std::size_t kMaxDots = 200;  // more would be a band

// The least and the greatest of each stretch, in the order they come.
std::vector<ChartPoint> thinned(const std::vector<ChartPoint>& points) {
  if (points.size() <= kMaxDrawn) return points;
  std::vector<ChartPoint> kept;
  const std::size_t stretches = kMaxDrawn / 2;
  for (std::size_t i = 0; i < stretches; ++i) {
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(i * points.size() / stretches);
    const auto end =
        points.begin() + static_cast<std::ptrdiff_t>((i + 1) * points.size() / stretches);
    const auto below = [](const ChartPoint& a, const ChartPoint& b) { return a.y < b.y; };
    auto [least, most] = std::minmax_element(begin, end, below);
    if (most < least) std::swap(least, most);
    kept.push_back(*least);
    if (most != least) kept.push_back(*most);
  }
  return kept;
}

class Plot {
 public:
  explicit Plot(const Chart& chart) : chart_(chart) {
    for (const auto& line : chart.lines) {
      lines_.push_back(thinned(line.points));
      for (const auto& point : lines_.back()) {
        if (!std::isfinite(point.y)) continue;
        x_.add(point.x);
        y_.add(point.y);
      }
    }
  }

  std::string svg() {
    if (x_.empty()) return {};
    for (const auto& level : chart_.levels) y_.add(level.y);
    const bool counts = chart_.x == Chart::X::kCount;
    across_ = x_.exact(counts ? kLittle : kSecondsAround);
    if (counts) {
      across_.from -= kHalf;
      across_.to += kHalf;
    }
    up_ = y_.padded(kRoom);
    out_ = fmt::format("<svg viewBox=\"0 0 {:.0f} {}\" role=\"img\" aria-label=\"{}\">\n", kWidth,
                       chart_.height, html_text(chart_.title));
    draw_axes();
    for (std::size_t i = 0; i < std::min(chart_.marks.size(), kMaxMarks); ++i)
      draw_mark(chart_.marks[i]);
    for (const auto& level : chart_.levels) draw_level(level);
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) draw_line(chart_.lines[i], lines_[i]);
    return out_ + "</svg>\n";
  }

 private:
  double bottom() const { return chart_.height - kBottom; }
  double at_x(double x) const {
    return kLeft + (x - across_.from) / (across_.to - across_.from) * (kWidth - kLeft - kRight);
  }
  // Halved first: the difference of two large numbers may be none.
  double at_y(double y) const {
    const double share = (y / 2 - up_.from / 2) / (up_.to / 2 - up_.from / 2);
    return bottom() - share * (bottom() - kTop);
  }

  void draw_axes() {
    const auto ticks =
        chart_.x == Chart::X::kTime ? time_ticks(across_, 7) : count_ticks(across_, 12);
    for (const auto& tick : ticks)
      out_ += fmt::format(
          "<text class=\"tick\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}"
          "</text>\n",
          at_x(tick.at), bottom() + 16, html_text(tick.label));
    for (const auto& tick : number_ticks(up_, 5))
      out_ += fmt::format(
          "<path class=\"grid\" d=\"M{:.0f} {:.1f}H{:.0f}\"/>"
          "<text class=\"tick\" x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\">{}"
          "</text>\n",
          kLeft, at_y(tick.at), kWidth - kRight, kLeft - 6, at_y(tick.at) + 4,
          html_text(tick.label));
  }

  void draw_mark(const ChartMark& mark) {
    if (!(mark.x >= across_.from && mark.x <= across_.to)) return;
    out_ += fmt::format(
        "<path class=\"mark {}\" d=\"M{:.1f} {:.0f}V{:.1f}\"><title>{}</title>"
        "</path>\n",
        html_text(mark.style), at_x(mark.x), kTop, bottom(), html_text(mark.title));
  }

  void draw_level(const ChartLevel& level) {
    if (!std::isfinite(level.y)) return;
    const double y = at_y(level.y);
    out_ += fmt::format(
        "<path class=\"level\" d=\"M{:.0f} {:.1f}H{:.0f}\"/>"
        "<text class=\"tick\" x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\">{}"
        "</text>\n",
        kLeft, y, kWidth - kRight, kWidth - kRight - 2, y - 4, html_text(level.label));
  }

  void draw_line(const ChartLine& line, const std::vector<ChartPoint>& points) {
    std::string path;
    bool pen_down = false;
    for (const auto& point : points) {
      if (!std::isfinite(point.y)) {
        pen_down = false;
        continue;
      }
      if (line.steps) {
        path += fmt::format("M{:.1f} {:.1f}H{:.1f}", at_x(point.x - kHalf), at_y(point.y),
                            at_x(point.x + kHalf));
        continue;
      }
      path += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", at_x(point.x), at_y(point.y));
      pen_down = true;
    }
    if (path.empty()) return;
    out_ += fmt::format("<path class=\"line {}\" d=\"{}\"/>\n", html_text(line.style), path);
    if (!line.dots || points.size() > kMaxDots) return;
    for (const auto& point : points)
      if (std::isfinite(point.y))
        out_ += fmt::format(
            "<circle class=\"dot {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\">"
            "<title>{}</title></circle>\n",
            html_text(line.style), at_x(point.x), at_y(point.y), html_text(point.title));
  }

  const Chart& chart_;
  std::vector<std::vector<ChartPoint>> lines_;
  ExtentBuilder x_, y_;
  Extent across_, up_;
  std::string out_;
};

}  // namespace

std::string draw(const Chart& chart) { return Plot(chart).svg(); }

std::string draw(const Interval& interval) {
  constexpr double kHeight = 46, kMiddle = 14;
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high)) return {};
  ExtentBuilder builder;
  for (const double value : {interval.low, interval.high, interval.middle, 0.0}) builder.add(value);
  const Extent across = builder.padded(0.1);
  const auto at = [&](double x) {
    const double share = (x / 2 - across.from / 2) / (across.to / 2 - across.from / 2);
    return kLeft + share * (kWidth - kLeft - kRight);
  };
  std::string out = fmt::format(
      "<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\">\n"
      "<path class=\"zero\" d=\"M{:.1f} 2V26\"/>\n"
      "<path class=\"interval\" d=\"M{:.1f} {}H{:.1f}M{:.1f} 8V20M{:.1f} 8V20\"/>\n",
      kWidth, kHeight, html_text(interval.title), at(0), at(interval.low), kMiddle,
      at(interval.high), at(interval.low), at(interval.high));
  if (std::isfinite(interval.middle))
    out += fmt::format("<circle class=\"dot experiment\" cx=\"{:.1f}\" cy=\"{}\" r=\"5\"/>\n",
                       at(interval.middle), kMiddle);
  for (const auto& tick : number_ticks(across, 6))
    out += fmt::format(
        "<text class=\"tick\" x=\"{:.1f}\" y=\"40\" text-anchor=\"middle\">{}"
        "</text>\n",
        at(tick.at), html_text(tick.label));
  return out + "</svg>\n";
}

}  // namespace slipway::analysis::report
