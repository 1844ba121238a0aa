#include "base/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <optional>
#include <utility>

namespace slipway {
namespace {

using Big = boost::multiprecision::cpp_int;

constexpr std::size_t kMaxLength = 400;
constexpr int kMaxExponent = 300;  // what a double can hold
constexpr int kNano = -9;

enum class Form { kDecimal, kBinary, kExponent };

// A suffix stands for 10^exponent, or 2^exponent in binary form.
struct Suffix {
  Form form;
  int exponent;
};

constexpr std::array<std::pair<std::string_view, int>, 10> kDecimalSuffixes = {{
    {"n", -9},
    {"u", -6},
    {"m", -3},
    {"", 0},
    {"k", 3},
    {"M", 6},
    {"G", 9},
    {"T", 12},
    {"P", 15},
    {"E", 18},
}};
constexpr std::array<std::string_view, 7> kBinarySuffixes = {"",   "Ki", "Mi", "Gi",
                                                             "Ti", "Pi", "Ei"};

std::optional<Suffix> read_suffix(std::string_view text) {
  for (const auto& [name, exponent] : kDecimalSuffixes) {
    if (name == text) return Suffix{Form::kDecimal, exponent};
  }
  for (std::size_t i = 1; i < kBinarySuffixes.size(); ++i) {
    if (kBinarySuffixes[i] == text) return Suffix{Form::kBinary, static_cast<int>(10 * i)};
  }
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  text.remove_prefix(1);
  if (text.starts_with('+')) text.remove_prefix(1);
  int exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (exponent > kMaxExponent || exponent < -kMaxExponent) return std::nullopt;
  return Suffix{Form::kExponent, exponent};
}

struct Parts {
  bool negative = false;
  std::string whole;  // without leading zeros, at least "0"
  std::string fraction;
  std::string_view suffix;
};

std::optional<Parts> split(std::string_view text) {
  Parts parts;
  if (text.empty() || text.size() > kMaxLength) return std::nullopt;
  parts.negative = text.front() == '-';
  if (parts.negative || text.front() == '+') text.remove_prefix(1);
  const auto take_digits = [&text] {
    const std::size_t length = std::min(text.find_first_not_of("0123456789"), text.size());
    const std::string_view digits = text.substr(0, length);
    text.remove_prefix(length);
    return digits;
  };
  std::string_view whole = take_digits();
  bool any_digit = !whole.empty();
  whole.remove_prefix(std::min(whole.find_first_not_of('0'), whole.size()));
  parts.whole = whole.empty() ? "0" : std::string(whole);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    parts.fraction = take_digits();
    any_digit = any_digit || !parts.fraction.empty();
  }
  parts.suffix = text;
  if (!any_digit) return std::nullopt;
  const std::size_t letters = text.find_first_not_of("eEinumkKMGTP");
  if (letters == std::string_view::npos) return parts;
  text.remove_prefix(letters);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return parts;
}

Big power(unsigned base, int exponent) {
  return boost::multiprecision::pow(Big(base), static_cast<unsigned>(exponent));
}

// Kubernetes gives a quantity back as it was written when its fast path finds nothing to change.
// The conditions are looser than its own definition of canonical, and visible in every answer.
bool kept_as_written(const Parts& parts, const Suffix& suffix) {
  const int digits = static_cast<int>(parts.whole.size() + parts.fraction.size());
  if (suffix.form == Form::kBinary) {
    const int precision =
        15 - digits - static_cast<int>(static_cast<float>(suffix.exponent) * 3 / 10) - 1;
    return parts.fraction.empty() && precision >= 0 && (Big(parts.whole) & 7) != 0;
  }
  const int scale = suffix.exponent - static_cast<int>(parts.fraction.size());
  const std::string shifted = parts.whole + parts.fraction;
  return digits <= 18 && scale >= kNano && scale % 3 == 0 && !shifted.ends_with("000") &&
         shifted[0] != '0';
}

// |amount| in nanos, rounded up.
Big to_nanos(const Parts& parts, const Suffix& suffix) {
  Big amount(Big(parts.whole) * power(10, static_cast<int>(parts.fraction.size())));
  if (!parts.fraction.empty()) {
    // A leading zero would make Big read octal.
    const std::size_t start = parts.fraction.find_first_not_of('0');
    if (start != std::string::npos) amount += Big(parts.fraction.substr(start));
  }
  int scale = -static_cast<int>(parts.fraction.size());
  if (suffix.form == Form::kBinary) {
    amount *= power(2, suffix.exponent);
  } else {
    scale += suffix.exponent;
  }
  if (scale >= kNano) return amount * power(10, scale - kNano);
  const Big divisor = power(10, kNano - scale);
  return (amount + divisor - 1) / divisor;
}

std::string write_binary(Big units) {
  std::size_t step = 0;
  while (step + 1 < kBinarySuffixes.size() && (units & 1023) == 0) {
    units >>= 10;
    ++step;
  }
  return units.str() + std::string(kBinarySuffixes[step]);
}

std::string write_decimal(Big nanos, Form form) {
  const int highest = form == Form::kExponent ? 2 * kMaxExponent : kDecimalSuffixes.back().second;
  int exponent = kNano;
  while (exponent < highest && nanos % 1000 == 0) {
    nanos /= 1000;
    exponent += 3;
  }
  if (form == Form::kExponent) {
    return exponent == 0 ? nanos.str() : fmt::format("{}e{}", nanos.str(), exponent);
  }
  const auto suffix =
      std::find_if(kDecimalSuffixes.begin(), kDecimalSuffixes.end(),
                   [exponent](const auto& entry) { return entry.second == exponent; });
  return nanos.str() + std::string(suffix->first);
}

std::string write_canonical(const Big& nanos, Form form) {
  const Big unit = power(10, -kNano);
  // Small or broken numbers of bytes read better in decimal.
  if (form == Form::kBinary && nanos >= unit * 1024 && nanos % unit == 0) {
    return write_binary(nanos / unit);
  }
  return write_decimal(nanos, form == Form::kBinary ? Form::kDecimal : form);
}

}  // namespace

Result<Quantity> Quantity::parse(std::string_view text) {
  const auto parts = split(text);
  if (!parts) {
    return fail(ErrorCode::kInvalid,
                "quantities must match the regular expression "
                "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  }
  const auto suffix = read_suffix(parts->suffix);
  if (!suffix) return fail(ErrorCode::kInvalid, "unable to parse quantity's suffix");

  Quantity quantity;
  Big nanos = to_nanos(*parts, *suffix);
  if (suffix->form == Form::kBinary) {
    nanos = std::min<Big>(nanos, Big(INT64_MAX) * power(10, -kNano));
  }
  if (nanos == 0) {
    quantity.canonical_ = "0";
    return quantity;
  }
  quantity.negative_ = parts->negative;
  quantity.nanos_ = nanos.str();
  quantity.canonical_ = kept_as_written(*parts, *suffix)
                            ? std::string(text)
                            : (parts->negative ? "-" : "") + write_canonical(nanos, suffix->form);
  return quantity;
}

double Quantity::value() const {
  if (nanos_.empty()) return 0;
  const std::string text = nanos_ + "e-9";
  double size = 0;
  std::from_chars(text.data(), text.data() + text.size(), size);
  return negative_ ? -size : size;
}

int Quantity::sign() const { return nanos_.empty() ? 0 : negative_ ? -1 : 1; }

int Quantity::compare(const Quantity& other) const {
  if (sign() != other.sign()) return sign() < other.sign() ? -1 : 1;
  if (nanos_ == other.nanos_) return 0;
  const bool smaller = nanos_.size() != other.nanos_.size() ? nanos_.size() < other.nanos_.size()
                                                            : nanos_ < other.nanos_;
  return smaller == negative_ ? 1 : -1;
}

}  // namespace slipway
