#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/time.h"

// Numbers and moments as metric sources write them.
namespace slipway::metrics {

// As Go's ParseFloat: "1e3", "0x1p-2", "+Inf", "infinity", "nan". Nothing when it is no number, or
// too large for a double.
std::optional<double> parse_number(std::string_view text);

// A JSON number, or a string that holds one. Nothing for anything else.
std::optional<double> to_number(const json::Value& value);

// Shortest, without exponent, as Go's FormatFloat(x, 'f', -1, 64): "10", "NaN", "+Inf".
std::string plain_text(double number);
// As Go's %v: "1e+21" from 1e21 up, "1e-05" below 1e-4.
std::string go_text(double number);
// As Go's %.Nf.
std::string fixed_text(double number, int decimals);

// Moments outside of what a Time holds become the nearest one it does.
Time from_unix_seconds(double seconds);
Time from_unix_millis(double millis);
std::int64_t unix_seconds(Time time);
std::int64_t unix_millis(Time time);
// Seconds with their fraction, shortest: "1700000000.25".
std::string seconds_text(Time time);
std::string seconds_text(Duration duration);

}  // namespace slipway::metrics
