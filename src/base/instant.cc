#include "base/instant.h"

#include <fmt/format.h>

namespace slipway {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::sys_days;
using std::chrono::year_month_day;

// Takes fixed-width numbers and marks from the front of the text.
class TimeScanner {
 public:
  explicit TimeScanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  bool take(char mark) {
    if (!rest_.starts_with(mark)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Exactly `width` digits with a value in [low, high].
  bool take_number(int width, int low, int high, int& number) {
    number = 0;
    for (int i = 0; i < width; ++i) {
      const auto digit = take_digit();
      if (!digit) return false;
      number = number * 10 + *digit;
    }
    return number >= low && number <= high;
  }

  // ".25" as nanoseconds; digits after the ninth are dropped. No fraction is zero.
  bool take_fraction(std::int64_t& nanoseconds) {
    nanoseconds = 0;
    if (!take('.')) return true;
    std::int64_t unit = 100'000'000;
    bool any = false;
    while (const auto digit = take_digit()) {
      nanoseconds += *digit * unit;
      unit /= 10;
      any = true;
    }
    return any;
  }

  // "Z", "+02:00": seconds east of UTC.
  bool take_offset(seconds& east) {
    east = seconds(0);
    if (take('Z')) return true;
    const bool west = take('-');
    if (!west && !take('+')) return false;
    int hour = 0;
    int minute = 0;
    if (!take_number(2, 0, 23, hour) || !take(':') || !take_number(2, 0, 59, minute)) return false;
    east = hours(hour) + minutes(minute);
    if (west) east = -east;
    return true;
  }

 private:
  std::optional<int> take_digit() {
    if (rest_.empty() || rest_.front() < '0' || rest_.front() > '9') return std::nullopt;
    const int digit = rest_.front() - '0';
    rest_.remove_prefix(1);
    return digit;
  }

  std::string_view rest_;
};

// By hand: every status is full of times, and a general formatter takes ten times as long.
void put_two(char* at, long number) {
  at[0] = static_cast<char>('0' + number / 10);
  at[1] = static_cast<char>('0' + number % 10);
}

std::string seconds_text(const Instant& instant) {
  const auto day = std::chrono::floor<days>(instant.whole);
  const year_month_day date(day);
  const std::chrono::hh_mm_ss clock(instant.whole - day);
  std::string text = "0000-00-00T00:00:00";
  put_two(&text[0], int(date.year()) / 100);
  put_two(&text[2], int(date.year()) % 100);
  put_two(&text[5], unsigned(date.month()));
  put_two(&text[8], unsigned(date.day()));
  put_two(&text[11], clock.hours().count());
  put_two(&text[14], clock.minutes().count());
  put_two(&text[17], clock.seconds().count());
  return text;
}

}  // namespace

std::optional<Instant> parse_instant(std::string_view text) {
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  std::int64_t nanosecond = 0;
  seconds east{0};
  TimeScanner scan(text);
  const bool shaped =
      scan.take_number(4, 0, 9999, year) && scan.take('-') && scan.take_number(2, 1, 12, month) &&
      scan.take('-') && scan.take_number(2, 1, 31, day) && scan.take('T') &&
      scan.take_number(2, 0, 23, hour) && scan.take(':') && scan.take_number(2, 0, 59, minute) &&
      scan.take(':') && scan.take_number(2, 0, 59, second) && scan.take_fraction(nanosecond) &&
      scan.take_offset(east) && scan.at_end();
  const year_month_day date{std::chrono::year(year), std::chrono::month(unsigned(month)),
                            std::chrono::day(unsigned(day))};
  if (!shaped || !date.ok()) return std::nullopt;
  const auto whole = sys_days(date) + hours(hour) + minutes(minute) + seconds(second) - east;
  const year_month_day in_utc(std::chrono::floor<days>(whole));
  if (int(in_utc.year()) < 0 || int(in_utc.year()) > 9999) return std::nullopt;
  return Instant{whole, nanosecond};
}

std::string format_instant(const Instant& instant) { return seconds_text(instant) + "Z"; }

std::string format_micro_instant(const Instant& instant) {
  return fmt::format("{}.{:06}Z", seconds_text(instant), instant.nanosecond / 1000);
}

}  // namespace slipway
