#include "base/yaml_timestamp.h"

#include <algorithm>
#include <chrono>

namespace slipway::yaml {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }

  bool take(char mark) {
    if (!rest_.starts_with(mark)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // At least `shortest`, at most `longest` digits.
  bool take_number(std::size_t shortest, std::size_t longest, int& number) {
    number = 0;
    std::size_t length = 0;
    while (length < longest && !rest_.empty() && is_digit(rest_.front())) {
      number = number * 10 + (rest_.front() - '0');
      rest_.remove_prefix(1);
      ++length;
    }
    return length >= shortest;
  }

  bool take_below(int limit) {
    int number = 0;
    return take_number(1, 2, number) && number < limit;
  }

  void take_fraction() {
    if (rest_.size() < 2 || (rest_[0] != '.' && rest_[0] != ',') || !is_digit(rest_[1])) return;
    rest_.remove_prefix(1);
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_digit);
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.begin()));
  }

  bool take_zone() {
    if (take('Z')) return true;
    int hours = 0;
    int minutes = 0;
    if (!take('+') && !take('-')) return false;
    return take_number(2, 2, hours) && take(':') && take_number(2, 2, minutes) && hours <= 24 &&
           minutes <= 60;
  }

 private:
  std::string_view rest_;
};

bool take_date(Scanner& scan) {
  int year = 0;
  int month = 0;
  int day = 0;
  const bool shaped = scan.take_number(4, 4, year) && scan.take('-') &&
                      scan.take_number(1, 2, month) && scan.take('-') &&
                      scan.take_number(1, 2, day);
  return shaped && std::chrono::year_month_day(std::chrono::year(year),
                                               std::chrono::month(static_cast<unsigned>(month)),
                                               std::chrono::day(static_cast<unsigned>(day)))
                       .ok();
}

}  // namespace

bool is_timestamp(std::string_view text) {
  Scanner scan(text);
  if (!take_date(scan)) return false;
  if (scan.at_end()) return true;
  const bool with_zone = scan.take('T') || scan.take('t');
  if (!with_zone && !scan.take(' ')) return false;
  if (!scan.take_below(24) || !scan.take(':') || !scan.take_below(60) || !scan.take(':') ||
      !scan.take_below(60)) {
    return false;
  }
  scan.take_fraction();
  return (!with_zone || scan.take_zone()) && scan.at_end();
}

}  // namespace slipway::yaml
