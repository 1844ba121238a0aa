#include "lang/expr/letter_case.h"

#include <clocale>
#include <cwctype>

#include "base/utf8.h"
#include "lang/template/runes.h"

namespace slipway::lang::expr {

namespace {

// The one locale that is always there and knows all scripts; never the user's.
locale_t unicode() {
  static const locale_t locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  return locale;
}

template <class Change>
std::string changed(std::string_view text, Change change) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const go::Rune rune = go::decode_rune(text);
    text.remove_prefix(rune.width);
    utf8::append(out, change(rune.value));
  }
  return out;
}

char32_t ascii_upper(char32_t rune) { return rune >= 'a' && rune <= 'z' ? rune - 32 : rune; }
char32_t ascii_lower(char32_t rune) { return rune >= 'A' && rune <= 'Z' ? rune + 32 : rune; }

}  // namespace

std::string upper_case(std::string_view text) {
  return changed(text, [](char32_t rune) {
    if (rune < 0x80 || !unicode()) return ascii_upper(rune);
    return static_cast<char32_t>(::towupper_l(static_cast<wint_t>(rune), unicode()));
  });
}

std::string lower_case(std::string_view text) {
  return changed(text, [](char32_t rune) {
    if (rune < 0x80 || !unicode()) return ascii_lower(rune);
    return static_cast<char32_t>(::towlower_l(static_cast<wint_t>(rune), unicode()));
  });
}

}  // namespace slipway::lang::expr
