#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// Line charts as SVG, drawn to fit a page of their own. Pure; colours come from the page's style by
// class.
namespace slipway::analysis::report {

// Points drawn of one line; more are drawn as the least and greatest of each stretch.
inline constexpr std::size_t kMaxDrawn = 800;

struct ChartPoint {
  double x = 0, y = 0;
  std::string title = {};  // shown when pointed at
};
struct ChartLine {
  std::string label = {};
  std::string style = {};  // class: control, experiment, boundary, …
  bool dots = false;
  bool steps = false;                   // a stroke for each point, of one count
  std::vector<ChartPoint> points = {};  // by x; a y that is no number is a gap
};
// A level that matters: a threshold.
struct ChartLevel {
  double y = 0;
  std::string label = {};
};
// A moment that matters: a look.
struct ChartMark {
  double x = 0;
  std::string style = {};
  std::string title = {};
};

struct Chart {
  std::string title = {};  // for those who cannot see it
  enum class X { kTime, kCount } x = X::kTime;
  int height = 220;
  std::vector<ChartLine> lines = {};
  std::vector<ChartLevel> levels = {};
  std::vector<ChartMark> marks = {};
};

// Empty when there is nothing to draw.
std::string draw(const Chart& chart);

// An interval beside zero: where an effect is, and how sure that is.
struct Interval {
  double low = 0, high = 0, middle = 0;
  std::string title = {};
};
std::string draw(const Interval& interval);

}  // namespace slipway::analysis::report
