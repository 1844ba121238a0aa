#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include "lang/expr/moment.h"
#include "lang/template/quote.h"

// Go's layouts: the reference time Mon Jan 2 15:04:05 MST 2006 written the way it should look.
namespace slipway::lang::expr {

namespace {

enum class Field {
  kLiteral,
  kYear,
  kShortYear,
  kMonth,
  kMonthNumber,
  kDay,
  kWeekday,
  kHour,
  kHour12,
  kHalf,
  kMinute,
  kSecond,
  kFraction,
  kOffset,
  kZoneName,
};

struct Piece {
  Field field = Field::kLiteral;
  std::string_view text = {};
};

constexpr std::pair<std::string_view, Field> kPieces[] = {
    {"January", Field::kMonth}, {"Jan", Field::kMonth},    {"Monday", Field::kWeekday},
    {"Mon", Field::kWeekday},   {"MST", Field::kZoneName}, {"2006", Field::kYear},
    {"Z07:00", Field::kOffset}, {"Z0700", Field::kOffset}, {"-07:00", Field::kOffset},
    {"-0700", Field::kOffset},  {"-07", Field::kOffset},   {"01", Field::kMonthNumber},
    {"02", Field::kDay},        {"03", Field::kHour12},    {"04", Field::kMinute},
    {"05", Field::kSecond},     {"06", Field::kShortYear}, {"15", Field::kHour},
    {"PM", Field::kHalf},       {"pm", Field::kHalf},      {"_2", Field::kDay},
    {"1", Field::kMonthNumber}, {"2", Field::kDay},        {"3", Field::kHour12},
    {"4", Field::kMinute},      {"5", Field::kSecond}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// ".000" or ",999" behind the seconds.
std::size_t fraction_length(std::string_view layout) {
  if (layout.size() < 2 || (layout[0] != '.' && layout[0] != ',') ||
      (layout[1] != '0' && layout[1] != '9'))
    return 0;
  const auto end = layout.find_first_not_of(layout[1], 1);
  if (end != std::string_view::npos && is_digit(layout[end])) return 0;
  return std::min(end, layout.size());
}

std::vector<Piece> pieces_of(std::string_view layout) {
  std::vector<Piece> pieces;
  while (!layout.empty()) {
    std::size_t length = fraction_length(layout);
    Field field = length > 0 ? Field::kFraction : Field::kLiteral;
    for (const auto& [text, known] : kPieces) {
      if (length > 0 || !layout.starts_with(text)) continue;
      // "Month" is no month, as "Jan" in "Janet" is none.
      const char after = layout.size() > text.size() ? layout[text.size()] : ' ';
      if ((text == "Jan" || text == "Mon") && after >= 'a' && after <= 'z') continue;
      length = text.size();
      field = known;
    }
    if (length == 0) length = 1;
    if (field == Field::kLiteral && !pieces.empty() && pieces.back().field == Field::kLiteral)
      pieces.back().text = {pieces.back().text.data(), pieces.back().text.size() + 1};
    else
      pieces.push_back({field, layout.substr(0, length)});
    layout.remove_prefix(length);
  }
  return pieces;
}

std::string padded(int number, std::string_view like) {
  if (like.size() == 1) return std::to_string(number);
  return fmt::format(fmt::runtime(like[0] == '_' ? "{:2}" : "{:02}"), number);
}

std::string offset_as(std::string_view like, std::int32_t offset) {
  if (like[0] == 'Z' && offset == 0) return "Z";
  const std::int32_t minutes = (offset < 0 ? -offset : offset) / 60;
  const char sign = offset < 0 ? '-' : '+';
  if (like.size() == 3) return fmt::format("{}{:02}", sign, minutes / 60);
  return fmt::format("{}{:02}{}{:02}", sign, minutes / 60,
                     like.find(':') == std::string_view::npos ? "" : ":", minutes % 60);
}

std::string fraction_as(std::string_view like, int nanosecond) {
  std::string text = fmt::format("{:09}", nanosecond).substr(0, like.size() - 1);
  text.resize(like.size() - 1, '0');
  if (like[1] == '9') text.erase(text.find_last_not_of('0') + 1);
  return text.empty() ? "" : like[0] + text;
}

std::string shown(const Piece& piece, const Moment& moment, const Civil& civil) {
  switch (piece.field) {
    case Field::kLiteral:
      return std::string(piece.text);
    case Field::kYear:
      return fmt::format("{:04}", civil.year);
    case Field::kShortYear:
      return fmt::format("{:02}", (civil.year % 100 + 100) % 100);
    case Field::kMonth:
      return std::string(month_name(civil.month).substr(0, piece.text.size() == 3 ? 3 : 99));
    case Field::kMonthNumber:
      return padded(civil.month, piece.text);
    case Field::kDay:
      return padded(civil.day, piece.text);
    case Field::kWeekday:
      return std::string(
          weekday_name(weekday_of(moment)).substr(0, piece.text.size() == 3 ? 3 : 99));
    case Field::kHour:
      return padded(civil.hour, piece.text);
    case Field::kHour12:
      return padded(civil.hour % 12 == 0 ? 12 : civil.hour % 12, piece.text);
    case Field::kHalf:
      return piece.text == "PM" ? (civil.hour < 12 ? "AM" : "PM") : (civil.hour < 12 ? "am" : "pm");
    case Field::kMinute:
      return padded(civil.minute, piece.text);
    case Field::kSecond:
      return padded(civil.second, piece.text);
    case Field::kFraction:
      return fraction_as(piece.text, civil.nanosecond);
    case Field::kOffset:
      return offset_as(piece.text, moment.offset);
    case Field::kZoneName:
      return moment.zone.empty() ? offset_as("-0700", moment.offset) : moment.zone;
  }
  return {};
}

// Takes a text apart along a layout.
class Reader {
 public:
  Reader(std::string_view layout, std::string_view text)
      : layout_(layout), whole_(text), rest_(text) {}

  std::expected<Moment, std::string> run() {
    const auto pieces = pieces_of(layout_);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const std::string_view before = rest_;
      const bool fraction_follows =
          i + 1 < pieces.size() && pieces[i + 1].field == Field::kFraction;
      if (!take(pieces[i], fraction_follows))
        return std::unexpected(out_of_range_.empty()
                                   ? fmt::format("parsing time {} as {}: cannot parse {} as {}",
                                                 go::quote(whole_), go::quote(layout_),
                                                 go::quote(before), go::quote(pieces[i].text))
                                   : fmt::format("parsing time {}: {} out of range",
                                                 go::quote(whole_), out_of_range_));
    }
    if (!rest_.empty())
      return std::unexpected(
          fmt::format("parsing time {}: extra text: {}", go::quote(whole_), go::quote(rest_)));
    return finish();
  }

 private:
  bool number(std::size_t least, std::size_t most, int& out) {
    std::size_t count = 0;
    out = 0;
    while (count < most && count < rest_.size() && is_digit(rest_[count]))
      out = out * 10 + (rest_[count++] - '0');
    if (count < least) return false;
    rest_.remove_prefix(count);
    return true;
  }

  bool ranged(std::string_view like, int low, int high, std::string_view what, int& out) {
    if (!number(like.size() == 2 && like[0] != '_' ? 2 : 1, 2, out)) return false;
    if (out < low || out > high) out_of_range_ = what;
    return out_of_range_.empty();
  }

  bool name(std::size_t count, std::string_view (*name_of)(std::int64_t), int first, bool brief,
            int& out) {
    for (std::size_t i = 0; i < count; ++i) {
      const int at = static_cast<int>(i) + first;
      const std::string_view word = name_of(at).substr(0, brief ? 3 : 99);
      const auto same = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
      if (rest_.size() < word.size() ||
          !std::ranges::equal(rest_.substr(0, word.size()), word, same))
        continue;
      out = at;
      rest_.remove_prefix(word.size());
      return true;
    }
    return false;
  }

  bool literal(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  bool fraction() {
    if (rest_.size() < 2 || (rest_[0] != '.' && rest_[0] != ',') || !is_digit(rest_[1]))
      return false;
    rest_.remove_prefix(1);
    int scale = 100'000'000;
    for (; !rest_.empty() && is_digit(rest_[0]); rest_.remove_prefix(1), scale /= 10)
      civil_.nanosecond += scale * (rest_[0] - '0');
    return true;
  }

  bool offset(std::string_view like) {
    if (like[0] == 'Z' && rest_.starts_with('Z')) return literal("Z");
    const bool negative = rest_.starts_with('-');
    if (!negative && !rest_.starts_with('+')) return false;
    rest_.remove_prefix(1);
    int hours = 0;
    int minutes = 0;
    if (!number(2, 2, hours)) return false;
    if (like.size() > 3) {
      if (like.find(':') != std::string_view::npos && !literal(":")) return false;
      if (!number(2, 2, minutes)) return false;
    }
    if (hours > 24 || minutes > 60) out_of_range_ = "time zone offset hour";
    offset_ = (negative ? -1 : 1) * (hours * 3600 + minutes * 60);
    zone_ = offset_ == 0 ? "UTC" : "";
    return out_of_range_.empty();
  }

  bool zone_name() {
    std::size_t length = 0;
    while (length < rest_.size() && rest_[length] >= 'A' && rest_[length] <= 'Z') ++length;
    if (length < 3 || length > 5) return false;
    zone_ = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return true;
  }

  bool take(const Piece& piece, bool fraction_follows) {
    switch (piece.field) {
      case Field::kLiteral:
        return literal(piece.text);
      case Field::kYear:
        return number(4, 4, civil_.year);
      case Field::kShortYear: {
        if (!number(2, 2, civil_.year)) return false;
        civil_.year += civil_.year >= 69 ? 1900 : 2000;
        return true;
      }
      case Field::kMonth:
        return name(12, month_name, 1, piece.text.size() == 3, civil_.month);
      case Field::kMonthNumber:
        return ranged(piece.text, 1, 12, "month", civil_.month);
      case Field::kDay:
        if (piece.text[0] == '_' && rest_.starts_with(' ')) rest_.remove_prefix(1);
        return number(piece.text == "02" ? 2 : 1, 2, civil_.day);
      case Field::kWeekday:
        return name(7, weekday_name, 0, piece.text.size() == 3, weekday_);
      case Field::kHour:  // the one of two digits in a layout that may have one in a text
        return ranged("1", 0, 23, "hour", civil_.hour);
      case Field::kHour12:
        return ranged(piece.text, 0, 12, "hour", civil_.hour);
      case Field::kHalf:
        half_ = rest_.substr(0, 2);
        return literal(piece.text == "PM" ? "AM" : "am") || literal(piece.text);
      case Field::kMinute:
        return ranged(piece.text, 0, 59, "minute", civil_.minute);
      case Field::kSecond:
        if (!ranged(piece.text, 0, 59, "second", civil_.second)) return false;
        // A fraction is read even where the layout has none.
        if (!fraction_follows) fraction();
        return true;
      case Field::kFraction:
        return fraction() || piece.text[1] == '9';
      case Field::kOffset:
        return offset(piece.text);
      case Field::kZoneName:
        return zone_name();
    }
    return false;
  }

  std::expected<Moment, std::string> finish() {
    if (half_ && civil_.hour < 12 && (*half_ == "PM" || *half_ == "pm")) civil_.hour += 12;
    if (half_ && civil_.hour == 12 && (*half_ == "AM" || *half_ == "am")) civil_.hour = 0;
    const std::chrono::year_month_day date{std::chrono::year(civil_.year),
                                           std::chrono::month(static_cast<unsigned>(civil_.month)),
                                           std::chrono::day(static_cast<unsigned>(civil_.day))};
    if (!date.ok())
      return std::unexpected(fmt::format("parsing time {}: day out of range", go::quote(whole_)));
    return moment_of(civil_, offset_, zone_);
  }

  std::string_view layout_;
  std::string_view whole_;
  std::string_view rest_;
  std::string_view out_of_range_;
  Civil civil_;
  int weekday_ = 0;
  std::int32_t offset_ = 0;
  std::string zone_ = "UTC";
  std::optional<std::string_view> half_;
};

}  // namespace

std::string format_moment(const Moment& moment, std::string_view layout) {
  const Civil civil = civil_of(moment);
  std::string out;
  for (const Piece& piece : pieces_of(layout)) out += shown(piece, moment, civil);
  return out;
}

std::expected<Moment, std::string> parse_moment(std::string_view layout, std::string_view text) {
  return Reader(layout, text).run();
}

}  // namespace slipway::lang::expr
