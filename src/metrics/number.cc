#include "metrics/number.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "base/float_text.h"

namespace slipway::metrics {

namespace {

constexpr double kMaxSeconds = 9.2e9;  // about what nanoseconds in 64 bits hold

bool same_word(std::string_view text, std::string_view word) {
  return text.size() == word.size() &&
         std::equal(text.begin(), text.end(), word.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
         });
}

std::optional<std::string> odd_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "+Inf" : "-Inf";
  return std::nullopt;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  double sign = negative ? -1 : 1;
  if (same_word(text, "inf") || same_word(text, "infinity")) {
    return sign * std::numeric_limits<double>::infinity();
  }
  if (same_word(text, "nan")) return std::numeric_limits<double>::quiet_NaN();
  auto format = std::chars_format::general;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    text.remove_prefix(2);
    format = std::chars_format::hex;
  }
  // from_chars reads words and signs too, which are dealt with above.
  if (text.empty() || text.starts_with('-') || text.starts_with('i') || text.starts_with('n') ||
      text.starts_with('I') || text.starts_with('N')) {
    return std::nullopt;
  }
  double number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, format);
  if (end != text.data() + text.size()) return std::nullopt;
  // Too small is zero; from_chars does not tell it from too large.
  if (error == std::errc::result_out_of_range && text.contains("e-")) return sign * 0.0;
  if (error != std::errc()) return std::nullopt;
  return sign * number;
}

std::optional<double> to_number(const json::Value& value) {
  if (value.is_number()) return value.to_number<double>();
  if (const auto* text = value.if_string()) return parse_number(*text);
  return std::nullopt;
}

std::string plain_text(double number) {
  if (auto odd = odd_text(number)) return *odd;
  std::string text;
  append_fixed(text, number);
  return text;
}

std::string go_text(double number) {
  if (auto odd = odd_text(number)) return *odd;
  std::string text;
  double size = std::fabs(number);
  if (size != 0 && (size < 1e-4 || size >= 1e21)) {
    append_scientific(text, number);
  } else {
    append_fixed(text, number);
  }
  return text;
}

std::string fixed_text(double number, int decimals) {
  if (auto odd = odd_text(number)) return *odd;
  return fmt::format("{:.{}f}", number, decimals);
}

Time from_unix_seconds(double seconds) {
  if (std::isnan(seconds)) return Time();
  double bounded = std::clamp(seconds, -kMaxSeconds, kMaxSeconds);
  double whole = std::floor(bounded);
  auto nanos = static_cast<std::int64_t>(std::llround((bounded - whole) * 1e9));
  return Time(std::chrono::seconds(static_cast<std::int64_t>(whole)) +
              std::chrono::nanoseconds(nanos));
}

Time from_unix_millis(double millis) { return from_unix_seconds(millis / 1000); }

std::int64_t unix_seconds(Time time) {
  return std::chrono::floor<std::chrono::seconds>(time.time_since_epoch()).count();
}

std::int64_t unix_millis(Time time) {
  return std::chrono::floor<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

std::string seconds_text(Duration duration) {
  return plain_text(static_cast<double>(duration.count()) / 1e9);
}

std::string seconds_text(Time time) {
  std::int64_t whole = unix_seconds(time);
  auto nanos = (time.time_since_epoch() - std::chrono::seconds(whole)).count();
  return plain_text(static_cast<double>(whole) + static_cast<double>(nanos) / 1e9);
}

}  // namespace slipway::metrics
