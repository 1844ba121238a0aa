#include "base/float_text.h"

#include <charconv>
#include <string_view>

namespace slipway {
namespace {

// A number taken apart from the form d.ddde±xx.
template <class Number>
class Shortest {
 public:
  explicit Shortest(Number number) {
    const auto end =
        std::to_chars(text_, text_ + sizeof(text_), number, std::chars_format::scientific);
    whole_ = std::string_view(text_, static_cast<std::size_t>(end.ptr - text_));
  }

  std::string_view scientific() const { return whole_; }
  bool negative() const { return whole_.starts_with('-'); }

  int exponent() const {
    std::string_view digits = whole_.substr(whole_.find('e') + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    int exponent = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    return exponent;
  }

  std::string digits() const {
    std::string_view mantissa = whole_.substr(0, whole_.find('e'));
    if (negative()) mantissa.remove_prefix(1);
    std::string digits(mantissa.substr(0, 1));
    if (mantissa.size() > 2) digits.append(mantissa.substr(2));
    return digits;
  }

 private:
  char text_[32];
  std::string_view whole_;
};

// std::to_chars in fixed form is no help: for large numbers it gives the exact digits, not the
// shortest.
template <class Number>
void lay_out(std::string& out, const Shortest<Number>& number) {
  const std::string digits = number.digits();
  const int exponent = number.exponent();
  if (number.negative()) out += '-';
  if (exponent < 0) {
    out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
    return;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) {
    out.append(digits).append(whole - digits.size(), '0');
  } else {
    out.append(digits, 0, whole).append(1, '.').append(digits, whole);
  }
}

template <class Number>
std::string general(Number number) {
  const Shortest<Number> shortest(number);
  if (shortest.exponent() < -4 || shortest.exponent() >= 6) {
    return std::string(shortest.scientific());
  }
  std::string out;
  lay_out(out, shortest);
  return out;
}

}  // namespace

void append_fixed(std::string& out, double number) { lay_out(out, Shortest<double>(number)); }

void append_scientific(std::string& out, double number) {
  out.append(Shortest<double>(number).scientific());
}

std::string general_text(double number) { return general(number); }
std::string general_text(float number) { return general(number); }

}  // namespace slipway
