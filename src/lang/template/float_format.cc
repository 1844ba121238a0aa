#include "lang/template/float_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "base/float_text.h"

namespace slipway::lang::go {
namespace {

constexpr int kMantissaBits = 52;
constexpr int kBias = 1023;
// No double has more significant digits than this, so more are zeros.
constexpr int kMaxDigits = 800;
constexpr std::size_t kRoom = 400;  // digits before the point, sign and exponent

std::string converted(double number, std::chars_format format, int precision) {
  std::string text(static_cast<std::size_t>(precision) + kRoom, '\0');
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number, format, precision);
  text.resize(static_cast<std::size_t>(end.ptr - text.data()));
  return text;
}

std::string shortest_scientific(double number) {
  std::string text;
  append_scientific(text, number);
  return text;
}

// Significant digits without trailing zeros, and the exponent of the first.
struct Digits {
  std::string digits;
  int exponent = 0;
};

Digits digits_of(double number, int significant) {
  const std::string text = converted(number, std::chars_format::scientific, significant - 1);
  Digits out;
  const auto e = text.find('e');
  for (const char c : text.substr(0, e))
    if (c >= '0' && c <= '9') out.digits += c;
  while (!out.digits.empty() && out.digits.back() == '0') out.digits.pop_back();
  out.exponent = std::atoi(text.c_str() + e + 1);
  return out;
}

std::string general(double number, int precision) {
  precision = std::max(precision, 1);
  const Digits known = digits_of(number, std::min(precision, kMaxDigits));
  const int count = static_cast<int>(known.digits.size());
  const int point = count == 0 ? 0 : known.exponent + 1;
  const int limit = precision > count && count >= point ? count : precision;
  if (count > 0 && (known.exponent < -4 || known.exponent >= limit))
    return converted(number, std::chars_format::scientific, std::min(precision, count) - 1);
  return converted(number, std::chars_format::fixed, std::max(count - point, 0));
}

struct Parts {
  bool negative = false;
  std::uint64_t mantissa = 0;
  int exponent = 0;  // of the mantissa's leading bit
};

Parts parts_of(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  Parts out{.negative = (bits >> 63) != 0,
            .mantissa = bits & ((std::uint64_t{1} << kMantissaBits) - 1),
            .exponent = static_cast<int>((bits >> kMantissaBits) & 0x7FF)};
  if (out.exponent == 0)
    out.exponent = 1;
  else
    out.mantissa |= std::uint64_t{1} << kMantissaBits;
  out.exponent -= kBias;
  return out;
}

std::string binary(double number) {
  const Parts parts = parts_of(number);
  return fmt::format("{}{}p{:+d}", parts.negative ? "-" : "", parts.mantissa,
                     parts.exponent - kMantissaBits);
}

// Keeps `precision` hexadecimal digits after the point; ties go to even.
void round_hex(Parts& parts, int precision) {
  const auto shift = static_cast<unsigned>(precision) * 4;
  const std::uint64_t extra = (parts.mantissa << shift) & ((std::uint64_t{1} << 60) - 1);
  parts.mantissa >>= 60 - shift;
  if ((extra | (parts.mantissa & 1)) > (std::uint64_t{1} << 59)) ++parts.mantissa;
  parts.mantissa <<= 60 - shift;
  if ((parts.mantissa & (std::uint64_t{1} << 61)) != 0) {
    parts.mantissa >>= 1;
    ++parts.exponent;
  }
}

std::string hexadecimal(double number, char verb, int precision) {
  Parts parts = parts_of(number);
  if (parts.mantissa == 0) parts.exponent = 0;
  parts.mantissa <<= 60 - kMantissaBits;
  while (parts.mantissa != 0 && (parts.mantissa & (std::uint64_t{1} << 60)) == 0) {
    parts.mantissa <<= 1;
    --parts.exponent;
  }
  if (precision >= 0 && precision < 15) round_hex(parts, precision);
  std::string out = fmt::format("{}0{}{}", parts.negative ? "-" : "", verb,
                                static_cast<char>('0' + ((parts.mantissa >> 60) & 1)));
  std::uint64_t rest = parts.mantissa << 4;
  const char* digits = verb == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  if (precision > 0 || (precision < 0 && rest != 0)) out += '.';
  for (int i = 0; precision < 0 ? rest != 0 : i < precision; ++i, rest <<= 4)
    out += digits[(rest >> 60) & 15];
  const char sign = parts.exponent < 0 ? '-' : '+';
  return out + fmt::format("{}{}{:02d}", verb == 'X' ? 'P' : 'p', sign, std::abs(parts.exponent));
}

std::string decimal(double number, char verb, int precision) {
  const bool shortest = precision < 0;
  std::string text;
  switch (verb) {
    case 'e':
      return shortest ? shortest_scientific(number)
                      : converted(number, std::chars_format::scientific, precision);
    case 'f':
      if (!shortest) return converted(number, std::chars_format::fixed, precision);
      append_fixed(text, number);
      return text;
    default:
      return shortest ? general_text(number) : general(number, precision);
  }
}

}  // namespace

std::string format_float(double number, char verb, int precision) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Inf" : "+Inf";
  if (verb == 'b') return binary(number);
  if (verb == 'x' || verb == 'X') return hexadecimal(number, verb, precision);
  const bool upper = verb == 'E' || verb == 'G';
  std::string text = decimal(number, upper ? static_cast<char>(verb | 0x20) : verb, precision);
  if (upper) std::ranges::replace(text, 'e', 'E');
  return text;
}

}  // namespace slipway::lang::go
