#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/time.h"

namespace slipway {
namespace {

constexpr std::uint64_t kMagnitudeLimit = 1ULL << 63;  // nanoseconds; the negative one just fits

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 8> kUnits = {{
    {"ns", 1},
    {"us", 1'000},
    {"\u00b5s", 1'000},  // micro sign
    {"\u03bcs", 1'000},  // Greek letter mu
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"m", 60'000'000'000},
    {"h", 3'600'000'000'000},
}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<std::uint64_t> unit_nanoseconds(std::string_view name) {
  for (const auto& [unit, nanoseconds] : kUnits) {
    if (unit == name) return nanoseconds;
  }
  return std::nullopt;
}

// One "12.5m" after another, taken from the front of the text.
class DurationParser {
 public:
  explicit DurationParser(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  // Nothing when the text is no number with a unit, or too large.
  std::optional<std::uint64_t> take_part() {
    bool any_digit = false;
    const auto whole = take_whole(any_digit);
    if (!whole) return std::nullopt;
    std::uint64_t fraction = 0;
    double scale = 1;
    if (!rest_.empty() && rest_.front() == '.') {
      rest_.remove_prefix(1);
      take_fraction(fraction, scale, any_digit);
    }
    if (!any_digit) return std::nullopt;
    const auto unit = take_unit();
    if (!unit || *whole > kMagnitudeLimit / *unit) return std::nullopt;
    // In this order of operations the result has the same last digit as Go's.
    const std::uint64_t part =
        *whole * *unit + static_cast<std::uint64_t>(static_cast<double>(fraction) *
                                                    (static_cast<double>(*unit) / scale));
    if (part > kMagnitudeLimit) return std::nullopt;
    return part;
  }

 private:
  std::optional<std::uint64_t> take_whole(bool& any_digit) {
    std::uint64_t value = 0;
    while (!rest_.empty() && is_digit(rest_.front())) {
      if (value > kMagnitudeLimit / 10) return std::nullopt;
      value = value * 10 + static_cast<std::uint64_t>(rest_.front() - '0');
      if (value > kMagnitudeLimit) return std::nullopt;
      rest_.remove_prefix(1);
      any_digit = true;
    }
    return value;
  }

  // Digits beyond what fits make no difference to a nanosecond.
  void take_fraction(std::uint64_t& value, double& scale, bool& any_digit) {
    bool full = false;
    while (!rest_.empty() && is_digit(rest_.front())) {
      full = full || value > (kMagnitudeLimit - 1) / 10;
      if (!full) {
        value = value * 10 + static_cast<std::uint64_t>(rest_.front() - '0');
        scale *= 10;
      }
      rest_.remove_prefix(1);
      any_digit = true;
    }
  }

  std::optional<std::uint64_t> take_unit() {
    std::size_t length = 0;
    while (length < rest_.size() && rest_[length] != '.' && !is_digit(rest_[length])) ++length;
    const auto unit = unit_nanoseconds(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return unit;
  }

  std::string_view rest_;
};

std::unexpected<Error> not_a_duration(std::string_view text) {
  return fail(ErrorCode::kInvalid,
              fmt::format("\"{}\" is not a duration; write 10s, 5m or 1h", text));
}

// `value` / 10^digits without trailing zeros: 1500 with 3 digits is "1.5".
std::string format_decimal(std::uint64_t value, int digits) {
  std::string fraction;
  for (int i = 0; i < digits; ++i) {
    const auto digit = value % 10;
    if (digit != 0 || !fraction.empty()) fraction.insert(0, 1, static_cast<char>('0' + digit));
    value /= 10;
  }
  return fraction.empty() ? fmt::format("{}", value) : fmt::format("{}.{}", value, fraction);
}

std::string format_magnitude(std::uint64_t nanoseconds) {
  if (nanoseconds < 1'000) return fmt::format("{}ns", nanoseconds);
  if (nanoseconds < 1'000'000) return format_decimal(nanoseconds, 3) + "\u00b5s";
  if (nanoseconds < 1'000'000'000) return format_decimal(nanoseconds, 6) + "ms";
  const std::uint64_t minutes = nanoseconds / 60'000'000'000;
  const std::string seconds = format_decimal(nanoseconds % 60'000'000'000, 9) + "s";
  if (minutes == 0) return seconds;
  if (minutes < 60) return fmt::format("{}m{}", minutes, seconds);
  return fmt::format("{}h{}m{}", minutes / 60, minutes % 60, seconds);
}

// "3h45m", or "3h" when the smaller part is zero.
std::string two_parts(std::int64_t large, char large_unit, std::int64_t small, char small_unit) {
  if (small == 0) return fmt::format("{}{}", large, large_unit);
  return fmt::format("{}{}{}{}", large, large_unit, small, small_unit);
}

}  // namespace

Result<Duration> parse_duration(std::string_view text) {
  std::string_view magnitude = text;
  const bool negative = magnitude.starts_with('-');
  if (negative || magnitude.starts_with('+')) magnitude.remove_prefix(1);
  if (magnitude == "0") return Duration(0);
  if (magnitude.empty()) return not_a_duration(text);

  std::uint64_t total = 0;
  for (DurationParser parser(magnitude); !parser.at_end();) {
    const auto part = parser.take_part();
    if (!part || *part > kMagnitudeLimit - total) return not_a_duration(text);
    total += *part;
  }
  if (negative) return Duration(static_cast<std::int64_t>(0 - total));
  if (total == kMagnitudeLimit) return not_a_duration(text);
  return Duration(static_cast<std::int64_t>(total));
}

std::string format_duration(Duration duration) {
  if (duration == Duration(0)) return "0s";
  const auto count = static_cast<std::uint64_t>(duration.count());
  if (duration < Duration(0)) return "-" + format_magnitude(0 - count);
  return format_magnitude(count);
}

std::string format_age(Duration duration) {
  const std::int64_t seconds = duration / std::chrono::seconds(1);
  if (seconds < -1) return "<invalid>";  // beyond what differing clocks explain
  if (seconds < 0) return "0s";
  if (seconds < 120) return fmt::format("{}s", seconds);
  const std::int64_t minutes = seconds / 60;
  if (minutes < 10) return two_parts(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return fmt::format("{}m", minutes);
  const std::int64_t hours = minutes / 60;
  if (hours < 8) return two_parts(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return fmt::format("{}h", hours);
  const std::int64_t days = hours / 24;
  if (days < 8) return two_parts(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return fmt::format("{}d", days);
  if (days < 365 * 8) return two_parts(days / 365, 'y', days % 365, 'd');
  return fmt::format("{}y", days / 365);
}

}  // namespace slipway
