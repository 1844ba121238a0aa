#pragma once

#include <cstdint>
#include <string_view>

#include "lang/template/output.h"

// One printf verb applied to one number or text: flags, width, precision, padding. Private to
// lang/template.
namespace slipway::lang::go {

struct Flags {
  bool minus = false;
  bool plus = false;
  bool sharp = false;
  bool space = false;
  bool zero = false;
  // %+v and %#v: not the flags of a number, but another way to show a whole value.
  bool plus_v = false;
  bool sharp_v = false;
  bool has_width = false;
  bool has_precision = false;
  int width = 0;
  int precision = 0;
};

class Format {
 public:
  explicit Format(Output& out) : out_(out) {}

  Flags flags;

  void padded(std::string_view text);  // to the width, counted in characters
  void boolean(bool value) { padded(value ? "true" : "false"); }
  void text(std::string_view text);  // %s: cut to the precision
  void quoted(std::string_view text);
  void hex_bytes(std::string_view text, bool upper);
  struct Integer {
    std::uint64_t bits = 0;
    bool is_signed = false;
  };
  void integer(Integer value, unsigned base, char verb, bool upper = false);
  void character(std::uint64_t code);
  void quoted_character(std::uint64_t code);
  void unicode(std::uint64_t code);  // %U
  void floating(double value, char verb, int precision);

 private:
  void padding(int count);
  void padded_without_zeros(std::string_view text);
  std::string_view cut(std::string_view text) const;

  Output& out_;
};

}  // namespace slipway::lang::go
