#include "base/yaml_scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>

#include "base/base64.h"
#include "base/float_text.h"
#include "base/utf8.h"
#include "base/yaml_timestamp.h"

namespace slipway::yaml {
namespace {

using json::Value;

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

constexpr std::array<std::string_view, 11> kTrue = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                                    "True", "TRUE", "on",  "On",  "ON"};
constexpr std::array<std::string_view, 11> kFalse = {"n",     "N",     "no",  "No",  "NO", "false",
                                                     "False", "FALSE", "off", "Off", "OFF"};
constexpr std::array<std::string_view, 5> kNull = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 3> kNan = {".nan", ".NaN", ".NAN"};
constexpr std::array<std::string_view, 3> kInfinity = {".inf", ".Inf", ".INF"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& words, std::string_view text) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<Value> resolve_word(std::string_view text) {
  if (is_one_of(kNull, text)) return Value(nullptr);
  if (is_one_of(kTrue, text)) return Value(true);
  if (is_one_of(kFalse, text)) return Value(false);
  if (is_one_of(kNan, text)) return Value(std::numeric_limits<double>::quiet_NaN());
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (!is_one_of(kInfinity, text)) return std::nullopt;
  const double infinity = std::numeric_limits<double>::infinity();
  return Value(negative ? -infinity : infinity);
}

// Go's integer literals: 0x1F, 0b101, 0o17 and 017 are all known.
std::optional<Value> resolve_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  const bool has_sign = negative || text.starts_with('+');
  if (has_sign) text.remove_prefix(1);
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char mark = static_cast<char>(text[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    text.remove_prefix(mark == 'x' || mark == 'b' || mark == 'o' ? 2 : 1);
  }
  if (text.empty() || text.front() == '-') return std::nullopt;
  std::uint64_t magnitude = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), magnitude, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  constexpr std::uint64_t kLimit = 1ULL << 63;
  if (negative) {
    if (magnitude > kLimit) return std::nullopt;
    return Value(static_cast<std::int64_t>(0 - magnitude));
  }
  if (magnitude < kLimit) return Value(static_cast<std::int64_t>(magnitude));
  if (has_sign) return std::nullopt;
  return Value(magnitude);
}

// Digits with at most one point, then perhaps an exponent.
bool looks_like_float(std::string_view text) {
  const auto take_digits = [&text] {
    const std::size_t length = static_cast<std::size_t>(
        std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
    text.remove_prefix(length);
    return length;
  };
  const auto take_sign = [&text] {
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  };
  take_sign();
  const std::size_t whole = take_digits();
  std::size_t fraction = 0;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    fraction = take_digits();
  }
  if (whole + fraction == 0) return false;
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  take_sign();
  return take_digits() > 0 && text.empty();
}

std::optional<Value> resolve_float(std::string_view text) {
  if (!looks_like_float(text)) return std::nullopt;
  const double number = std::strtod(std::string(text).c_str(), nullptr);
  if (std::isinf(number)) return std::nullopt;
  return Value(number);
}

// Go allows underscores between the digits of a number, and only there.
bool underscores_separate_digits(std::string_view text) {
  for (std::size_t at = text.find('_'); at != std::string_view::npos; at = text.find('_', at + 1)) {
    const bool between =
        at > 0 && is_digit(text[at - 1]) && at + 1 < text.size() && is_digit(text[at + 1]);
    if (!between) return false;
  }
  return true;
}

std::optional<Value> resolve_number(std::string_view text) {
  if (text.starts_with('.') && !underscores_separate_digits(text)) return std::nullopt;
  if (std::string_view("+-.0123456789").find(text.front()) == std::string_view::npos) {
    return std::nullopt;
  }
  std::string digits(text);
  std::erase(digits, '_');
  if (auto integer = resolve_integer(digits)) return integer;
  return resolve_float(digits);
}

Value text_value(std::string_view text) {
  return Value(boost::json::string_view(text.data(), text.size()));
}

std::string_view type_name(const Value& value) {
  if (value.is_null()) return "null";
  if (value.is_bool()) return "bool";
  if (value.is_double()) return "float";
  return value.is_number() ? "int" : "str";
}

// YAML 1.1 writes times of day and angles in base 60: 1:30, 190:20:30.15.
bool is_base_60(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front())) return false;
  const auto skip = [&text](std::string_view accepted) {
    text.remove_prefix(std::min(text.find_first_not_of(accepted), text.size()));
  };
  skip("0123456789_");
  if (!text.starts_with(':')) return false;
  while (text.starts_with(':')) {
    text.remove_prefix(1);
    if (text.size() > 1 && text[0] <= '5' && is_digit(text[0]) && is_digit(text[1])) {
      text.remove_prefix(1);
    }
    if (text.empty() || !is_digit(text.front())) return false;
    text.remove_prefix(1);
  }
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    skip("0123456789_");
  }
  return text.empty();
}

}  // namespace

Value resolve_plain(std::string_view text) {
  if (auto word = resolve_word(text)) return *std::move(word);
  if (auto number = resolve_number(text)) return *std::move(number);
  return text_value(text);
}

Result<Value> resolve_tagged(std::string_view tag, std::string_view text) {
  // Tags of an application say nothing to us: the text stays what it is.
  if (!tag.starts_with(kTagPrefix)) return text_value(text);
  const std::string_view wanted = tag.substr(kTagPrefix.size());
  if (wanted == "binary") {
    auto bytes = base64_decode(text);
    if (!bytes) return fail(ErrorCode::kBadRequest, "!!binary needs base64 data");
    return text_value(utf8::repaired(*bytes));
  }
  if (wanted == "timestamp" && is_timestamp(text)) return text_value(text);
  if (wanted != "bool" && wanted != "int" && wanted != "float" && wanted != "null" &&
      wanted != "timestamp") {
    return text_value(text);
  }
  Value value = resolve_plain(text);
  if (wanted == "float" && value.is_int64()) value = static_cast<double>(value.get_int64());
  if (type_name(value) == wanted) return value;
  return fail(ErrorCode::kBadRequest, fmt::format("\"{}\" is no !!{}", text, wanted));
}

Result<std::string> key_text(const Value& scalar) {
  if (const auto* text = scalar.if_string()) return std::string(text->data(), text->size());
  if (scalar.is_null()) return fail(ErrorCode::kBadRequest, "a key may not be null");
  if (!scalar.is_double()) return json::write(scalar);
  const double number = scalar.get_double();
  if (std::isnan(number)) return ".nan";
  if (std::isinf(number)) return number > 0 ? ".inf" : "-.inf";
  // Upstream prints keys in single precision, and so must we to name the same field.
  const auto single = static_cast<float>(number);
  if (std::isinf(single)) return number > 0 ? ".inf" : "-.inf";
  return general_text(single);
}

bool needs_quotes(std::string_view text) {
  return text == "<<" || !resolve_plain(text).is_string() || is_timestamp(text) || is_base_60(text);
}

}  // namespace slipway::yaml
