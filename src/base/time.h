#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/error.h"

namespace slipway {

using Duration = std::chrono::nanoseconds;
using Time = std::chrono::sys_time<std::chrono::nanoseconds>;

// Go's duration syntax: "300ms", "-1.5h", "2h45m", "0". Errors name the value and what would be
// right.
Result<Duration> parse_duration(std::string_view text);
// As Go prints it: "1h30m0s", "1.5s", "0s".
std::string format_duration(Duration duration);
// As kubectl prints ages: "5d3h", "17m", "42s".
std::string format_age(Duration duration);

// RFC 3339, any offset, fraction up to nanoseconds.
Result<Time> parse_time(std::string_view text);
// "2026-01-02T15:04:05Z" (metav1.Time).
std::string format_time(Time time);
// "2026-01-02T15:04:05.000000Z" (metav1.MicroTime).
std::string format_micro_time(Time time);

}  // namespace slipway
