#include <fmt/format.h>

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <charconv>
#include <limits>
#include <optional>

#include "runtime/workloads/deployments/template_dump.h"

// Go keeps a quantity as a 64-bit number with a scale, or, where that may not be enough, as a big
// decimal; and its text only where the text needed no change. Hashes see all of that.
namespace slipway::runtime {

namespace {

using Big = boost::multiprecision::cpp_int;

constexpr std::string_view kDecimal = "numkMGTPE";  // 10^-9, 10^-6 …; nothing for 10^0
constexpr int kUnit = 3;                            // where that nothing belongs in it
constexpr std::string_view kBinary = "KMGTPE";
constexpr int kNano = -9;
constexpr int kMaxDigits = 18;        // that surely fit
constexpr int kMaxBinaryDigits = 15;  // Go's guess for binary suffixes, which take some of them
constexpr std::size_t kMaxText = 64;

struct Parts {
  bool negative = false;
  std::string_view whole, fraction;
  std::string_view format = "DecimalSI";
  int exponent = 0;  // of 10, or of 2 for BinarySI

  bool is_binary() const { return format == "BinarySI"; }
  std::string digits() const { return std::string(whole) + std::string(fraction); }
};

void read_suffix(std::string_view suffix, Parts& parts) {
  if (suffix.empty()) return;
  if (suffix.size() == 2 && suffix[1] == 'i') {
    parts.format = "BinarySI";
    parts.exponent = 10 * static_cast<int>(kBinary.find(suffix[0]) + 1);
  } else if (suffix.size() == 1) {
    const int place = static_cast<int>(kDecimal.find(suffix[0]));
    parts.exponent = 3 * (place < kUnit ? place - kUnit : place - kUnit + 1);
  } else {
    parts.format = "DecimalExponent";
    suffix.remove_prefix(1);
    if (suffix.starts_with('+')) suffix.remove_prefix(1);
    std::from_chars(suffix.data(), suffix.data() + suffix.size(), parts.exponent);
  }
}

Parts split(std::string_view text) {
  Parts parts;
  if (text.starts_with('-') || text.starts_with('+')) {
    parts.negative = text.starts_with('-');
    text.remove_prefix(1);
  }
  const auto take_digits = [&text] {
    const std::string_view digits =
        text.substr(0, std::min(text.find_first_not_of("0123456789"), text.size()));
    text.remove_prefix(digits.size());
    return digits;
  };
  parts.whole = take_digits();
  parts.whole.remove_prefix(std::min(parts.whole.find_first_not_of('0'), parts.whole.size()));
  if (parts.whole.empty()) parts.whole = "0";
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    parts.fraction = take_digits();
  }
  read_suffix(text, parts);
  return parts;
}

struct Small {
  std::int64_t value = 0;
  int scale = 0;
  bool keeps_text = false;
};

// Where a 64-bit number is surely enough.
std::optional<Small> small_form(const Parts& parts) {
  const std::string digits = parts.digits();
  const int count = static_cast<int>(digits.size());
  std::int64_t value = 0;
  if (parts.is_binary()) {
    const int taken = static_cast<int>(static_cast<float>(parts.exponent) * 3 / 10);
    if (!parts.fraction.empty() || kMaxBinaryDigits - count - taken - 1 < 0) return std::nullopt;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return Small{.value = value << parts.exponent, .keeps_text = (value & 7) != 0};
  }
  const int scale = parts.exponent - static_cast<int>(parts.fraction.size());
  if (count > kMaxDigits || scale < kNano) return std::nullopt;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return Small{.value = value,
               .scale = scale,
               .keeps_text = scale % 3 == 0 && !digits.ends_with("000") && digits.front() != '0'};
}

// As many nanos, in words of 64 bits, the lowest first.
std::string words_of(const Parts& parts) {
  const std::string digits = parts.digits();
  Big amount(digits.substr(std::min(digits.find_first_not_of('0'), digits.size() - 1)));
  int power = -kNano - static_cast<int>(parts.fraction.size());
  if (parts.is_binary()) {
    amount <<= parts.exponent;
    amount = std::min<Big>(amount, Big(std::numeric_limits<std::int64_t>::max()));
  } else {
    power += parts.exponent;
  }
  if (power > 0) amount *= boost::multiprecision::pow(Big(10), static_cast<unsigned>(power));
  std::string words;
  for (; amount != 0; amount >>= 64) {
    if (!words.empty()) words += ' ';
    words += Big(amount & std::numeric_limits<std::uint64_t>::max()).str();
  }
  return words;
}

std::string write(const Small& small, std::string_view decimal, std::string_view text,
                  std::string_view format) {
  return fmt::format(
      "{{i:(resource.int64Amount){{value:(int64){} scale:(resource.Scale){}}} "
      "d:(resource.infDecAmount){{Dec:(*inf.Dec){}}} s:(string){} Format:(resource.Format){}}}",
      small.value, small.scale, decimal, text, format);
}

}  // namespace

std::string dump_quantity(std::string_view text) {
  if (text == "0" || text.empty() || text.size() > kMaxText)
    return write({}, "<nil>", "0", "DecimalSI");
  const Parts parts = split(text);
  if (auto small = small_form(parts)) {
    if (parts.negative) small->value = -small->value;
    return write(*small, "<nil>", small->keeps_text ? text : "", parts.format);
  }
  const std::string decimal =
      fmt::format("{{unscaled:(big.Int){{neg:(bool){} abs:(big.nat)[{}]}} scale:(inf.Scale)9}}",
                  parts.negative, words_of(parts));
  return write({}, decimal, "", parts.format);
}

}  // namespace slipway::runtime
