#include "lang/template/number.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "lang/template/quote.h"

namespace slipway::lang::go {
namespace {

using Text = std::string_view;

char lower(char c) { return static_cast<char>(c | ('x' - 'X')); }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_decimal(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

bool has_base_prefix(Text text) {
  return text.size() >= 2 && text[0] == '0' &&
         (lower(text[1]) == 'b' || lower(text[1]) == 'o' || lower(text[1]) == 'x');
}

Text without_sign(Text text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return text;
}

// An underscore stands between two digits, or between a base prefix and a digit.
bool underscores_in_place(Text text) {
  text = without_sign(text);
  const bool prefixed = has_base_prefix(text);
  const bool hex = prefixed && lower(text[1]) == 'x';
  bool after_digit = prefixed, after_underscore = false;
  for (const char c : text.substr(prefixed ? 2 : 0)) {
    const bool digit = is_decimal(c) || (hex && is_hex(c));
    if (c == '_' ? !after_digit : after_underscore && !digit) return false;
    after_digit = digit;
    after_underscore = c == '_';
  }
  return !after_underscore;
}

// Takes digits, points and underscores; true when there was a digit.
bool skip_mantissa(Text text, std::size_t& at, bool hex) {
  bool digits = false, point = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !point)
      point = true;
    else if (hex ? is_hex(c) : is_decimal(c))
      digits = true;
    else if (c != '_')
      break;
  }
  return digits;
}

bool skip_exponent(Text text, std::size_t& at) {
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  if (at >= text.size() || !is_decimal(text[at])) return false;
  while (at < text.size() && (is_decimal(text[at]) || text[at] == '_')) ++at;
  return true;
}

bool is_float_syntax(Text text) {
  std::size_t at = text.size() - without_sign(text).size();
  const bool hex = at + 2 < text.size() && text[at] == '0' && lower(text[at + 1]) == 'x';
  if (hex) at += 2;
  if (!skip_mantissa(text, at, hex)) return false;
  if (at < text.size() && lower(text[at]) == (hex ? 'p' : 'e')) {
    if (!skip_exponent(text, at)) return false;
  } else if (hex) {
    return false;
  }
  return at == text.size() && (text.find('_') == text.npos || underscores_in_place(text));
}

// What a number is. Without `as_int`, an integer that only a uint64 holds, or no integer at all.
struct Number {
  std::optional<std::int64_t> as_int;
  double as_float = 0;
};

std::optional<std::int64_t> parse_int(Text text) {
  const auto size = text.empty() ? std::nullopt : parse_uint(without_sign(text));
  if (!size) return std::nullopt;
  constexpr auto kLimit = std::uint64_t{1} << 63;
  const bool negative = text[0] == '-';
  if (negative ? *size > kLimit : *size >= kLimit) return std::nullopt;
  return static_cast<std::int64_t>(negative ? 0 - *size : *size);
}

// A complex constant is read as fmt.Sscan reads one: more narrowly than the lexer.
std::size_t scan_float(Text text) {
  std::size_t at = text.size() - without_sign(text).size();
  bool hex = false;
  if (at < text.size() && text[at] == '0') {
    ++at;
    hex = at < text.size() && lower(text[at]) == 'x';
    if (hex) ++at;
  }
  const auto digits = [&](bool wide) {
    while (at < text.size() &&
           (text[at] == '_' || (wide ? is_hex(text[at]) : is_decimal(text[at]))))
      ++at;
  };
  digits(hex);
  if (at < text.size() && text[at] == '.') {
    ++at;
    digits(hex);
  }
  const bool exponent =
      at < text.size() &&
      (hex ? lower(text[at]) == 'p' : lower(text[at]) == 'e' || lower(text[at]) == 'p');
  if (!exponent) return at;
  ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  digits(false);
  return at;
}

std::expected<Constant, std::string> parse_complex(Text text) {
  const std::size_t split = scan_float(text);
  const Text real_text = text.substr(0, split);
  Text imaginary_text = text.substr(split);
  if (!imaginary_text.starts_with('+') && !imaginary_text.starts_with('-'))
    return std::unexpected("syntax error scanning complex number");
  // Go takes this i for the beginning of Inf.
  if (without_sign(imaginary_text.substr(1)).starts_with('i'))
    return std::unexpected("syntax error scanning complex number");
  imaginary_text = imaginary_text.substr(0, 1 + scan_float(imaginary_text.substr(1)));
  if (!text.substr(split + imaginary_text.size()).starts_with('i'))
    return std::unexpected("syntax error scanning complex number");
  const auto real = parse_float(real_text);
  if (!real) return std::unexpected(real.error());
  const auto imaginary = parse_float(imaginary_text);
  if (!imaginary) return std::unexpected(imaginary.error());
  return Value(std::complex<double>(*real, *imaginary));
}

std::expected<Constant, std::string> parse_char(Text text) {
  const auto character = unquote_char(text.substr(1), '\'');
  if (!character) return std::unexpected("invalid syntax");
  if (text.substr(1 + character->length) != "'")
    return std::unexpected(fmt::format("malformed character constant: {}", text));
  return Value(static_cast<std::int64_t>(character->value));
}

std::expected<Number, std::string> parse_real(Text text) {
  if (const auto integer = parse_int(text))
    return Number{.as_int = integer, .as_float = static_cast<double>(*integer)};
  if (const auto large = parse_uint(text))
    return Number{.as_int = {}, .as_float = static_cast<double>(*large)};
  const auto parsed = parse_float(text);
  if (!parsed) return std::unexpected(fmt::format("illegal number syntax: {}", quote(text)));
  if (text.find_first_of(".eEpP") == text.npos)
    return std::unexpected(fmt::format("integer overflow: {}", quote(text)));
  return Number{.as_int = {}, .as_float = *parsed};
}

// "-0x1e" is a float to Go: only an unsigned 0x hides its e.
bool spelt_as_float(Text text) {
  const bool hex_integer = text.size() > 2 && text[0] == '0' && lower(text[1]) == 'x' &&
                           text.find_first_of("pP") == text.npos;
  return !hex_integer && text.find_first_of(".eEpP") != text.npos;
}

}  // namespace

std::optional<std::uint64_t> parse_uint(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const Text whole = text;
  unsigned base = 10;
  if (text[0] == '0') {
    const char letter = text.size() >= 3 ? lower(text[1]) : '\0';
    base = letter == 'b' ? 2 : letter == 'x' ? 16 : 8;
    text.remove_prefix(letter == 'b' || letter == 'o' || letter == 'x' ? 2 : 1);
  }
  std::uint64_t value = 0;
  for (const char c : text) {
    if (c == '_') continue;
    const unsigned digit = is_decimal(c) ? static_cast<unsigned>(c - '0')
                           : lower(c) >= 'a' && lower(c) <= 'z'
                               ? static_cast<unsigned>(lower(c) - 'a') + 10
                               : 99;
    if (digit >= base) return std::nullopt;
    if (__builtin_mul_overflow(value, std::uint64_t{base}, &value) ||
        __builtin_add_overflow(value, std::uint64_t{digit}, &value))
      return std::nullopt;
  }
  if (whole.find('_') != whole.npos && !underscores_in_place(whole)) return std::nullopt;
  return value;
}

std::expected<double, std::string> parse_float(std::string_view text) {
  if (text.empty() || !is_float_syntax(text))
    return std::unexpected(
        fmt::format("strconv.ParseFloat: parsing {}: invalid syntax", quote(text)));
  std::string plain(text);
  std::erase(plain, '_');
  const double number = std::strtod(plain.c_str(), nullptr);
  if (std::isinf(number))
    return std::unexpected(
        fmt::format("strconv.ParseFloat: parsing {}: value out of range", quote(text)));
  return number;
}

std::expected<Constant, std::string> parse_number(std::string_view text, NumberSyntax syntax) {
  if (syntax == NumberSyntax::kChar) return parse_char(text);
  if (syntax == NumberSyntax::kComplex) return parse_complex(text);
  if (text.ends_with('i')) {
    if (const auto imaginary = parse_float(text.substr(0, text.size() - 1)))
      return Value(std::complex<double>(0, *imaginary));
  }
  const auto number = parse_real(text);
  if (!number) return std::unexpected(number.error());
  if (spelt_as_float(text)) return Value(number->as_float);
  if (number->as_int) return Value(*number->as_int);
  return std::nullopt;
}

}  // namespace slipway::lang::go
