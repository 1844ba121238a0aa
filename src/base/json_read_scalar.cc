#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>

#include "base/json_parser.h"
#include "base/utf8.h"

namespace slipway::json {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Finds the first byte that is not plain string content, eight bytes at a time: a quote, a
// backslash, a control character or a byte of a longer character.
const char* skip_plain(const char* at, const char* end) {
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  constexpr std::uint64_t kHighs = 0x8080808080808080ULL;
  while (end - at >= 8) {
    std::uint64_t block = 0;
    std::memcpy(&block, at, sizeof(block));
    const std::uint64_t quote = block ^ (kOnes * '"');
    const std::uint64_t backslash = block ^ (kOnes * '\\');
    const std::uint64_t found =
        ((block - kOnes * 0x20) | (quote - kOnes) | (backslash - kOnes) | block) & kHighs;
    if (found != 0) return at + std::countr_zero(found) / 8;
    at += 8;
  }
  while (at != end && *at != '"' && *at != '\\' && static_cast<unsigned char>(*at) >= 0x20 &&
         static_cast<unsigned char>(*at) < 0x80) {
    ++at;
  }
  return at;
}

// The value, or nothing when it is too large. Too small is zero, as in Go.
std::optional<double> parse_double(const char* begin, const char* end) {
  double number = 0;
  const auto [stop, error] = std::from_chars(begin, end, number);
  if (error == std::errc()) return number;
  number = std::strtod(std::string(begin, end).c_str(), nullptr);
  if (std::isinf(number)) return std::nullopt;
  return number;
}

bool parse_integer(const char* begin, const char* end, Value& out) {
  std::int64_t small = 0;
  if (std::from_chars(begin, end, small).ec == std::errc()) {
    out = small;
    return true;
  }
  std::uint64_t large = 0;
  if (*begin != '-' && std::from_chars(begin, end, large).ec == std::errc()) {
    out = large;
    return true;
  }
  return false;
}

}  // namespace

bool Parser::number(Value& out) {
  const char* const start = at_;
  const char* p = at_;
  if (p != end_ && *p == '-') ++p;
  if (p == end_ || !is_digit(*p)) return special_number(out);
  if (*p == '0' && p + 1 != end_ && is_digit(p[1])) {
    return fail_at(start, "a number may not start with a zero");
  }
  while (p != end_ && is_digit(*p)) ++p;
  bool integer = true;
  if (p != end_ && *p == '.') {
    integer = false;
    ++p;
    if (p == end_ || !is_digit(*p))
      return fail_at(start, "expected a digit after the decimal point");
    while (p != end_ && is_digit(*p)) ++p;
  }
  if (p != end_ && (*p == 'e' || *p == 'E')) {
    integer = false;
    ++p;
    if (p != end_ && (*p == '+' || *p == '-')) ++p;
    if (p == end_ || !is_digit(*p)) return fail_at(start, "expected a digit in the exponent");
    while (p != end_ && is_digit(*p)) ++p;
  }
  at_ = p;
  if (integer && parse_integer(start, p, out)) return true;
  const auto real = parse_double(start, p);
  if (!real) {
    return fail_at(start,
                   fmt::format("the number {:.40} is out of range",
                               std::string_view(start, static_cast<std::size_t>(p - start))));
  }
  out = *real;
  return true;
}

bool Parser::special_number(Value& out) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
  if (options_.allow_nan) {
    if (rest.starts_with("NaN")) return word("NaN", std::numeric_limits<double>::quiet_NaN(), out);
    if (rest.starts_with("Inf")) return word("Infinity", kInfinity, out);
    if (rest.starts_with("-Inf")) return word("-Infinity", -kInfinity, out);
  }
  if (rest.starts_with('-')) {
    ++at_;
    return expected("a digit after '-'");
  }
  return expected("a value");
}

bool Parser::string(std::string& scratch, std::string_view& out) {
  const char* const start = ++at_;
  while (true) {
    at_ = skip_plain(at_, end_);
    if (at_ == end_ || *at_ == '"' || *at_ == '\\' || static_cast<unsigned char>(*at_) < 0x20)
      break;
    const std::size_t length =
        utf8::length_of_first(std::string_view(at_, static_cast<std::size_t>(end_ - at_)));
    if (length == 0) break;
    at_ += length;
  }
  if (at_ != end_ && *at_ == '"') {
    out = std::string_view(start, static_cast<std::size_t>(at_ - start));
    ++at_;
    return true;
  }
  if (!string_with_escapes(start, scratch)) return false;
  out = scratch;
  return true;
}

// Everything up to `at_` is known to be fine.
bool Parser::string_with_escapes(const char* start, std::string& scratch) {
  scratch.assign(start, at_);
  while (true) {
    const char* const plain = at_;
    at_ = skip_plain(at_, end_);
    scratch.append(plain, at_);
    if (at_ == end_) return fail_at(start - 1, "the string has no closing quote");
    const char c = *at_;
    if (c == '"') {
      ++at_;
      return true;
    }
    if (c == '\\') {
      if (!escape(scratch)) return false;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      return fail_at(
          at_, fmt::format("a string may not hold the character 0x{:02x}; write it as an escape",
                           static_cast<unsigned char>(c)));
    } else {
      const std::string_view rest(at_, static_cast<std::size_t>(end_ - at_));
      const std::size_t length = utf8::length_of_first(rest);
      scratch.append(length == 0 ? utf8::kReplacement : rest.substr(0, length));
      at_ += length == 0 ? 1 : length;
    }
  }
}

bool Parser::escape(std::string& out) {
  constexpr std::string_view kNames = "\"\\/bfnrt";
  constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const char* const backslash = at_++;
  if (at_ == end_) return fail_at(backslash, "the string has no closing quote");
  if (*at_ != 'u') {
    const std::size_t known = kNames.find(*at_);
    if (known == std::string_view::npos) return fail_at(backslash, "unknown escape in a string");
    out += kMeanings[known];
    ++at_;
    return true;
  }
  ++at_;
  char32_t character = 0;
  if (!four_hex_digits(character)) return fail_at(backslash, "expected four hex digits after \\u");
  if (character >= 0xD800 && character < 0xDC00 && end_ - at_ >= 6 && at_[0] == '\\' &&
      at_[1] == 'u') {
    const char* const second = at_;
    char32_t low = 0;
    at_ += 2;
    if (!four_hex_digits(low)) return fail_at(second, "expected four hex digits after \\u");
    if (low >= 0xDC00 && low < 0xE000) {
      character = 0x10000 + ((character - 0xD800) << 10) + (low - 0xDC00);
    } else {
      at_ = second;  // a lone half becomes U+FFFD, what follows stands for itself
    }
  }
  utf8::append(out, character);
  return true;
}

bool Parser::four_hex_digits(char32_t& out) {
  std::uint32_t number = 0;
  if (end_ - at_ < 4) return false;
  const auto [stop, error] = std::from_chars(at_, at_ + 4, number, 16);
  if (error != std::errc() || stop != at_ + 4) return false;
  out = number;
  at_ += 4;
  return true;
}

}  // namespace slipway::json
