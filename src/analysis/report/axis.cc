#include "analysis/report/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/time.h"

namespace slipway::analysis::report {

namespace {

constexpr int kMaxTicks = 50;
constexpr double kDay = 86400;

double round_step(double least) {
  if (!std::isfinite(least)) return least;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (power * factor >= least * (1 - 1e-9)) return power * factor;
  return power * 10;
}

double time_step(double least) {
  for (const double step : {1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0, 900.0,
                            1800.0, 3600.0, 7200.0, 10800.0, 21600.0, 43200.0, kDay})
    if (step >= least) return step;
  return kDay * round_step(least / kDay);
}

template <class Label>
std::vector<Tick> ticks_every(Extent extent, double step, Label label) {
  std::vector<Tick> ticks;
  const double first = std::ceil(extent.from / step);
  for (int i = 0; i < kMaxTicks; ++i) {
    const double at = (first + i) * step;
    if (!(at <= extent.to)) break;
    ticks.push_back({.at = at, .label = label(at)});
  }
  return ticks;
}

std::string number_label(double value, double step) {
  if (std::abs(value) < step / 2) return "0";
  return fmt::format("{:.6g}", value);
}

// What nanoseconds in 64 bits can say.
constexpr double kMostSeconds = 9.0e9;

std::string date_of(double seconds) {
  const auto within =
      std::chrono::duration<double>(std::clamp(seconds, -kMostSeconds, kMostSeconds));
  return format_time(Time(std::chrono::duration_cast<Duration>(within))).substr(0, 10);
}

}  // namespace

void ExtentBuilder::add(double value) {
  if (!std::isfinite(value)) return;
  least_ = any_ ? std::min(least_, value) : value;
  most_ = any_ ? std::max(most_, value) : value;
  any_ = true;
}

Extent ExtentBuilder::exact(double alone) const {
  if (!any_) return {};
  if (most_ > least_) return {.from = least_, .to = most_};
  const double room = alone > 0 ? alone : least_ == 0 ? 1 : std::abs(least_) / 2;
  return {.from = least_ - room, .to = least_ + room};
}

Extent ExtentBuilder::padded(double share) const {
  Extent extent = exact();
  const double room = (extent.to - extent.from) * share;
  if (std::isfinite(room)) {
    extent.from -= room;
    extent.to += room;
  }
  return extent;
}

std::vector<Tick> number_ticks(Extent extent, int wanted) {
  const double step = round_step((extent.to - extent.from) / wanted);
  if (!std::isfinite(step) || step <= 0) return {};
  return ticks_every(extent, step, [step](double at) { return number_label(at, step); });
}

std::vector<Tick> count_ticks(Extent extent, int wanted) {
  const double step = std::max(1.0, round_step((extent.to - extent.from) / wanted));
  if (!std::isfinite(step)) return {};
  return ticks_every(extent, step, [](double at) { return fmt::format("{:.0f}", at); });
}

std::vector<Tick> time_ticks(Extent seconds, int wanted) {
  const double step = time_step((seconds.to - seconds.from) / wanted);
  if (!std::isfinite(step)) return {};
  return ticks_every(seconds, step, [step](double at) {
    return step >= kDay ? date_of(at) : time_of_day(at, step < 60);
  });
}

std::string time_of_day(double seconds, bool with_seconds) {
  if (!std::isfinite(seconds)) return "-";
  const auto whole = static_cast<long long>(std::floor(std::clamp(seconds, -9e15, 9e15)));
  const long long day = ((whole % 86400) + 86400) % 86400;
  return with_seconds ? fmt::format("{:02}:{:02}:{:02}", day / 3600, day / 60 % 60, day % 60)
                      : fmt::format("{:02}:{:02}", day / 3600, day / 60 % 60);
}

}  // namespace slipway::analysis::report
