#include "lang/expr/number_text.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

#include "base/float_text.h"
#include "lang/template/number.h"
#include "lang/template/quote.h"

namespace slipway::lang::expr {

namespace {

int base_of_prefix(std::string_view digits) {
  if (digits.size() < 2 || digits[0] != '0') return 10;
  switch (digits[1] | 0x20) {
    case 'x':
      return 16;
    case 'o':
      return 8;
    case 'b':
      return 2;
    default:
      return 10;
  }
}

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return out;
}

}  // namespace

std::expected<std::int64_t, std::string> parse_int(std::string_view text, int base) {
  const auto failure = [text](std::string_view why) {
    return std::unexpected(fmt::format("strconv.ParseInt: parsing {}: {}", go::quote(text), why));
  };
  const bool negative = text.starts_with('-');
  std::string_view digits = text;
  if (negative || text.starts_with('+')) digits.remove_prefix(1);
  if (base == 0) {
    base = base_of_prefix(digits);
    if (base != 10) digits.remove_prefix(2);
  }
  std::uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, value, base);
  if (digits.empty() || read.ptr != end || digits[0] == '-') return failure("invalid syntax");
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (read.ec == std::errc::result_out_of_range || value > kMax + (negative ? 1 : 0))
    return failure("value out of range");
  return negative ? static_cast<std::int64_t>(-value) : static_cast<std::int64_t>(value);
}

std::expected<double, std::string> parse_float(std::string_view text) {
  std::string word = lowered(text);
  const bool negative = word.starts_with('-');
  if (negative || word.starts_with('+')) word.erase(0, 1);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (word == "inf" || word == "infinity") return negative ? -kInfinity : kInfinity;
  if (word == "nan" && word.size() == text.size()) return std::numeric_limits<double>::quiet_NaN();
  return go::parse_float(text);
}

std::string float_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "+Inf" : "-Inf";
  return general_text(number);
}

}  // namespace slipway::lang::expr
