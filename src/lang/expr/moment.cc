#include "lang/expr/moment.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>

#include "lang/template/quote.h"

namespace slipway::lang::expr {

namespace {

constexpr std::int64_t kSecondsADay = 86'400;
constexpr std::int64_t kNanosASecond = 1'000'000'000;

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

std::string offset_text(std::int32_t offset) {
  const std::int32_t minutes = (offset < 0 ? -offset : offset) / 60;
  return fmt::format("{}{:02}{:02}", offset < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::string fraction_text(int nanosecond) {
  if (nanosecond == 0) return "";
  std::string text = fmt::format(".{:09}", nanosecond);
  text.erase(text.find_last_not_of('0') + 1);
  return text;
}

}  // namespace

Civil civil_of(const Moment& moment) {
  const std::int64_t local = moment.seconds + moment.offset;
  const std::int64_t days = floor_div(local, kSecondsADay);
  const auto rest = static_cast<int>(local - days * kSecondsADay);
  // Beyond what the calendar type holds only the year would be wrong; keep it in range.
  const auto bounded = std::clamp<std::int64_t>(days, -12'000'000, 11'000'000);
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(bounded)))};
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<int>(static_cast<unsigned>(date.month())),
          .day = static_cast<int>(static_cast<unsigned>(date.day())),
          .hour = rest / 3600,
          .minute = rest / 60 % 60,
          .second = rest % 60,
          .nanosecond = moment.nanoseconds};
}

Moment moment_of(const Civil& civil, std::int32_t offset, std::string zone) {
  const std::chrono::year_month_day date{std::chrono::year(civil.year),
                                         std::chrono::month(static_cast<unsigned>(civil.month)),
                                         std::chrono::day(static_cast<unsigned>(civil.day))};
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return {.seconds =
              days * kSecondsADay + civil.hour * 3600 + civil.minute * 60 + civil.second - offset,
          .nanoseconds = civil.nanosecond,
          .offset = offset,
          .zone = std::move(zone)};
}

Moment shifted(const Moment& moment, std::int64_t nanoseconds) {
  const std::int64_t seconds = floor_div(nanoseconds, kNanosASecond);
  std::int64_t nanos = moment.nanoseconds + (nanoseconds - seconds * kNanosASecond);
  Moment later = moment;
  later.seconds += seconds + nanos / kNanosASecond;
  nanos %= kNanosASecond;
  later.nanoseconds = static_cast<std::int32_t>(nanos);
  return later;
}

std::int64_t between(const Moment& later, const Moment& earlier) {
  std::int64_t nanoseconds = 0;
  if (__builtin_mul_overflow(later.seconds - earlier.seconds, kNanosASecond, &nanoseconds) ||
      __builtin_add_overflow(nanoseconds, later.nanoseconds - earlier.nanoseconds, &nanoseconds))
    return later.compare(earlier) < 0 ? std::numeric_limits<std::int64_t>::min()
                                      : std::numeric_limits<std::int64_t>::max();
  return nanoseconds;
}

std::string_view month_name(std::int64_t month) {
  constexpr std::array<std::string_view, 12> kNames = {
      "January", "February", "March",     "April",   "May",      "June",
      "July",    "August",   "September", "October", "November", "December"};
  return month >= 1 && month <= 12 ? kNames[static_cast<std::size_t>(month - 1)] : "%!Month";
}

std::string_view weekday_name(std::int64_t weekday) {
  constexpr std::array<std::string_view, 7> kNames = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                      "Thursday", "Friday", "Saturday"};
  return weekday >= 0 && weekday <= 6 ? kNames[static_cast<std::size_t>(weekday)] : "%!Weekday";
}

int weekday_of(const Moment& moment) {
  const std::int64_t days = floor_div(moment.seconds + moment.offset, kSecondsADay);
  constexpr std::int64_t kThursday = 4;  // 1 January 1970
  return static_cast<int>(((days + kThursday) % 7 + 7) % 7);
}

std::string moment_text(const Moment& moment) {
  const Civil c = civil_of(moment);
  const std::string zone = moment.zone.empty() ? offset_text(moment.offset) : moment.zone;
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}{} {} {}", c.year, c.month, c.day, c.hour,
                     c.minute, c.second, fraction_text(c.nanosecond), offset_text(moment.offset),
                     zone);
}

std::string moment_rfc3339(const Moment& moment) {
  return format_moment(moment, "2006-01-02T15:04:05.999999999Z07:00");
}

std::string duration_problem(std::string_view text) {
  const auto digit = [](char c) { return c == '.' || (c >= '0' && c <= '9'); };
  std::string_view rest = text;
  if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
  while (!rest.empty() && digit(rest[0])) {
    const auto number =
        static_cast<std::size_t>(std::ranges::find_if_not(rest, digit) - rest.begin());
    const std::string_view spelt = rest.substr(0, number);
    if (std::ranges::count(spelt, '.') > 1 || spelt == ".") break;
    rest.remove_prefix(number);
    if (rest.empty()) return fmt::format("time: missing unit in duration {}", go::quote(text));
    const auto length = static_cast<std::size_t>(std::ranges::find_if(rest, digit) - rest.begin());
    const std::string_view unit = rest.substr(0, length);
    rest.remove_prefix(length);
    if (!parse_duration(fmt::format("1{}", unit)))
      return fmt::format("time: unknown unit {} in duration {}", go::quote(unit), go::quote(text));
  }
  return fmt::format("time: invalid duration {}", go::quote(text));
}

}  // namespace slipway::lang::expr
