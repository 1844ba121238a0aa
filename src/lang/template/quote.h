#pragma once

#include <optional>
#include <string>
#include <string_view>

// Go's string and character literals, as strconv writes and reads them.
namespace slipway::lang::go {

enum class QuoteStyle { kUnicode, kAscii };  // which characters stay as they are

// "a\tb\x00": printable characters stay, malformed bytes become \xNN.
std::string quote(std::string_view text, QuoteStyle style = QuoteStyle::kUnicode);
// 'a'. What is no character becomes U+FFFD.
std::string quote_rune(char32_t rune, QuoteStyle style = QuoteStyle::kUnicode);
// True when the text may stand between back quotes.
bool can_backquote(std::string_view text);

// The text of a literal in double or back quotes, quotes included; nothing when it is malformed.
std::optional<std::string> unquote(std::string_view literal);

// One character of a literal, escapes resolved.
struct LiteralChar {
  char32_t value = 0;
  bool multibyte = false;  // else a single byte of the text
  std::size_t length = 0;  // how much of the literal it took
};
std::optional<LiteralChar> unquote_char(std::string_view text, char quote_mark);

// U+0041 'A': how Go shows a character it does not like (%#U).
std::string describe_rune(char32_t rune);

}  // namespace slipway::lang::go
