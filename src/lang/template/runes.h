#pragma once

#include <cstddef>
#include <span>
#include <string_view>

// Characters as Go's unicode package sorts them (Unicode 15.0). Private to lang/.
namespace slipway::lang::go {

inline constexpr char32_t kReplacementRune = 0xFFFD;
inline constexpr char32_t kMaxRune = 0x10FFFF;

struct Rune {
  char32_t value = kReplacementRune;
  std::size_t width = 1;
  bool malformed() const { return value == kReplacementRune && width == 1; }
};

// The first character of a text that is not empty; a malformed byte is U+FFFD of width 1.
Rune decode_rune(std::string_view text);
std::size_t count_runes(std::string_view text);

bool is_letter(char32_t rune);
bool is_digit(char32_t rune);  // decimal digits of every script
// Letters, marks, numbers, punctuation, symbols, and of all spaces only U+0020.
bool is_print(char32_t rune);
bool is_surrogate(char32_t rune);

// Without the white space at both ends, as strings.TrimSpace.
std::string_view trim_space(std::string_view text);

// Sorted, not overlapping; runes_tables.cc, made by tests/oracle/template/tables.
struct RuneRange {
  char32_t first;
  char32_t last;
};
std::span<const RuneRange> letter_ranges();
std::span<const RuneRange> digit_ranges();
std::span<const RuneRange> print_ranges();

}  // namespace slipway::lang::go
