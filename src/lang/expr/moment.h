#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "lang/expr/value.h"

// Go's time.Time, as far as conditions reach it. Private to lang/expr.
namespace slipway::lang::expr {

struct Civil {
  int year = 0;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int nanosecond = 0;
};
Civil civil_of(const Moment& moment);
Moment moment_of(const Civil& civil, std::int32_t offset, std::string zone);
Moment shifted(const Moment& moment, std::int64_t nanoseconds);
std::int64_t between(const Moment& later, const Moment& earlier);  // nanoseconds, at most 292 years

std::string_view month_name(std::int64_t month);      // 1 is January
std::string_view weekday_name(std::int64_t weekday);  // 0 is Sunday
int weekday_of(const Moment& moment);

std::string moment_text(const Moment& moment);     // time.Time's String
std::string moment_rfc3339(const Moment& moment);  // with as many fraction digits as it has
// time.Time's Format.
std::string format_moment(const Moment& moment, std::string_view layout);
// What time.ParseDuration says of a text that is no duration.
std::string duration_problem(std::string_view text);
// time.Parse; the error is its text.
std::expected<Moment, std::string> parse_moment(std::string_view layout, std::string_view text);

}  // namespace slipway::lang::expr
