#include "lang/template/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "lang/template/float_format.h"
#include "lang/template/quote.h"
#include "lang/template/runes.h"

namespace slipway::lang::go {
namespace {

constexpr std::string_view kLower = "0123456789abcdefx";
constexpr std::string_view kUpper = "0123456789ABCDEFX";

std::string digits_of(std::uint64_t value, unsigned base, std::string_view digits) {
  std::string out;
  do {
    out += digits[value % base];
    value /= base;
  } while (value != 0);
  std::ranges::reverse(out);
  return out;
}

// 0b, 0 or 0x in front of the digits, as the # flag asks.
std::string base_prefix(unsigned base, const std::string& digits, bool upper) {
  if (base == 2) return "0b";
  if (base == 16) return upper ? "0X" : "0x";
  return base == 8 && digits[0] != '0' ? "0" : "";
}

QuoteStyle style(const Flags& flags) {
  return flags.plus ? QuoteStyle::kAscii : QuoteStyle::kUnicode;
}

char32_t rune_of(std::uint64_t code) {
  return code > kMaxRune ? kReplacementRune : static_cast<char32_t>(code);
}

// The # flag: a decimal point in any case, and trailing zeros up to the precision.
std::string with_point(std::string number, char verb, int precision) {
  int digits = 0;
  if (verb == 'g' || verb == 'G' || verb == 'x') digits = precision == -1 ? 6 : precision;
  const auto tail_at =
      verb == 'x' || verb == 'X' ? number.find_first_of("pP") : number.find_first_of("eEpP");
  const std::string tail = tail_at == number.npos ? "" : number.substr(tail_at);
  number.resize(std::min(tail_at, number.size()));
  bool point = false, significant = false;
  for (const char c : number.substr(1)) {
    if (c == '.') {
      point = true;
      continue;
    }
    significant = significant || c != '0';
    if (significant) --digits;
  }
  if (!point) {
    if (number.size() == 2 && number[1] == '0') --digits;
    number += '.';
  }
  if (digits > 0) number.append(static_cast<std::size_t>(digits), '0');
  return number + tail;
}

}  // namespace

void Format::padding(int count) {
  if (count > 0) out_.fill(static_cast<std::size_t>(count), flags.zero && !flags.minus ? '0' : ' ');
}

void Format::padded(std::string_view text) {
  if (!flags.has_width || flags.width == 0) return out_.append(text);
  const int missing = flags.width - static_cast<int>(count_runes(text));
  if (!flags.minus) padding(missing);
  out_.append(text);
  if (flags.minus) padding(missing);
}

void Format::padded_without_zeros(std::string_view text) {
  const bool zero = std::exchange(flags.zero, false);
  padded(text);
  flags.zero = zero;
}

std::string_view Format::cut(std::string_view text) const {
  if (!flags.has_precision) return text;
  std::size_t at = 0;
  for (int left = flags.precision; left > 0 && at < text.size(); --left)
    at += decode_rune(text.substr(at)).width;
  return text.substr(0, at);
}

void Format::text(std::string_view text) { padded(cut(text)); }

void Format::quoted(std::string_view text) {
  text = cut(text);
  if (flags.sharp && can_backquote(text))
    padded("`" + std::string(text) + "`");
  else
    padded(quote(text, style(flags)));
}

void Format::hex_bytes(std::string_view text, bool upper) {
  if (flags.has_precision && static_cast<std::size_t>(flags.precision) < text.size())
    text = text.substr(0, static_cast<std::size_t>(flags.precision));
  const std::string_view digits = upper ? kUpper : kLower;
  const std::string prefix = {'0', digits[16]};
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i > 0 && flags.space) out += ' ';
    if (flags.sharp && (i == 0 || flags.space)) out += prefix;
    const auto byte = static_cast<unsigned char>(text[i]);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  if (out.empty()) return padding(flags.has_width ? flags.width : 0);
  padded(out);
}

void Format::integer(Integer value, unsigned base, char verb, bool upper) {
  const bool negative = value.is_signed && static_cast<std::int64_t>(value.bits) < 0;
  const std::uint64_t size = negative ? 0 - value.bits : value.bits;
  int wanted = 0;
  if (flags.has_precision) {
    wanted = flags.precision;
    if (wanted == 0 && size == 0) {
      const bool zero = std::exchange(flags.zero, false);
      padding(flags.width);
      flags.zero = zero;
      return;
    }
  } else if (flags.zero && !flags.minus && flags.has_width) {
    wanted = flags.width - (negative || flags.plus || flags.space ? 1 : 0);
  }
  std::string digits = digits_of(size, base, upper ? kUpper : kLower);
  if (wanted > static_cast<int>(digits.size()))
    digits.insert(0, static_cast<std::size_t>(wanted) - digits.size(), '0');
  if (flags.sharp) digits.insert(0, base_prefix(base, digits, upper));
  if (verb == 'O') digits.insert(0, "0o");
  if (negative || flags.plus || flags.space)
    digits.insert(0, 1, negative ? '-' : flags.plus ? '+' : ' ');
  padded_without_zeros(digits);
}

void Format::character(std::uint64_t code) {
  std::string out;
  utf8::append(out, rune_of(code));
  padded(out);
}

void Format::quoted_character(std::uint64_t code) {
  padded(quote_rune(rune_of(code), style(flags)));
}

void Format::unicode(std::uint64_t code) {
  const int width = flags.has_precision ? std::max(flags.precision, 4) : 4;
  std::string digits = digits_of(code, 16, kUpper);
  if (static_cast<int>(digits.size()) < width)
    digits.insert(0, static_cast<std::size_t>(width) - digits.size(), '0');
  std::string out = "U+" + digits;
  if (flags.sharp && code <= kMaxRune && is_print(static_cast<char32_t>(code))) {
    out += " '";
    utf8::append(out, static_cast<char32_t>(code));
    out += '\'';
  }
  padded_without_zeros(out);
}

void Format::floating(double value, char verb, int precision) {
  if (flags.has_precision) precision = flags.precision;
  std::string number = format_float(value, verb, precision);
  if (number[0] != '-' && number[0] != '+') number.insert(0, 1, '+');
  if (flags.space && number[0] == '+' && !flags.plus) number[0] = ' ';
  if (number[1] == 'I' || number[1] == 'N') {
    if (number[1] == 'N' && !flags.space && !flags.plus) number.erase(0, 1);
    return padded_without_zeros(number);
  }
  if (flags.sharp && verb != 'b') number = with_point(std::move(number), verb, precision);
  if (!flags.plus && number[0] == '+') return padded(std::string_view(number).substr(1));
  const auto size = static_cast<int>(number.size());
  if (flags.zero && !flags.minus && flags.has_width && flags.width > size) {
    out_.append(std::string_view(number).substr(0, 1));
    padding(flags.width - size);
    out_.append(std::string_view(number).substr(1));
    return;
  }
  padded(number);
}

}  // namespace slipway::lang::go
