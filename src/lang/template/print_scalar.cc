#include <utility>

#include "lang/template/print.h"

// Which verbs suit which sort of value.
namespace slipway::lang::go {

void Printer::boolean(bool shown, char32_t verb) {
  if (verb != 't' && verb != 'v') return bad_verb(verb);
  format_.boolean(shown);
}

void Printer::integer(Format::Integer shown, char32_t verb) {
  switch (verb) {
    case 'v':
      if (format_.flags.sharp_v && !shown.is_signed) {
        const bool sharp = std::exchange(format_.flags.sharp, true);
        format_.integer(shown, 16, 'v');
        format_.flags.sharp = sharp;
        return;
      }
      return format_.integer(shown, 10, 'v');
    case 'd':
      return format_.integer(shown, 10, 'd');
    case 'b':
      return format_.integer(shown, 2, 'b');
    case 'o':
    case 'O':
      return format_.integer(shown, 8, static_cast<char>(verb));
    case 'x':
    case 'X':
      return format_.integer(shown, 16, static_cast<char>(verb), verb == 'X');
    case 'c':
      return format_.character(shown.bits);
    case 'q':
      return format_.quoted_character(shown.bits);
    case 'U':
      return format_.unicode(shown.bits);
    default:
      return bad_verb(verb);
  }
}

void Printer::floating(double shown, char32_t verb) {
  switch (verb) {
    case 'v':
      return format_.floating(shown, 'g', -1);
    case 'b':
    case 'g':
    case 'G':
    case 'x':
    case 'X':
      return format_.floating(shown, static_cast<char>(verb), -1);
    case 'e':
    case 'E':
    case 'f':
      return format_.floating(shown, static_cast<char>(verb), 6);
    case 'F':
      return format_.floating(shown, 'f', 6);
    default:
      return bad_verb(verb);
  }
}

void Printer::complex(std::complex<double> shown, char32_t verb) {
  if (verb >= 0x80 ||
      std::string_view("vbgGxXfFeE").find(static_cast<char>(verb)) == std::string_view::npos)
    return bad_verb(verb);
  out_.append("(");
  floating(shown.real(), verb);
  const bool plus = std::exchange(format_.flags.plus, true);
  floating(shown.imag(), verb);
  out_.append("i)");
  format_.flags.plus = plus;
}

void Printer::string(std::string_view shown, char32_t verb) {
  switch (verb) {
    case 'v':
      return format_.flags.sharp_v ? format_.quoted(shown) : format_.text(shown);
    case 's':
      return format_.text(shown);
    case 'x':
    case 'X':
      return format_.hex_bytes(shown, verb == 'X');
    case 'q':
      return format_.quoted(shown);
    default:
      return bad_verb(verb);
  }
}

}  // namespace slipway::lang::go
