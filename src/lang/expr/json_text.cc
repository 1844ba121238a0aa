#include <fmt/format.h>

#include <cmath>

#include "base/utf8.h"
#include "lang/expr/failure.h"
#include "lang/expr/limits.h"
#include "lang/expr/number_text.h"
#include "lang/expr/print.h"
#include "lang/template/quote.h"
#include "lang/template/runes.h"

// fromJSON: encoding/json's Unmarshal into any. A reader of our own because its error texts are
// part of what users see.
namespace slipway::lang::expr {

namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Value run() {
    Value value = read(0);
    skip_space();
    if (at_ < text_.size()) wrong("after top-level value");
    return value;
  }

 private:
  // At the end Go acts as if a blank followed, which only some places mind.
  [[noreturn]] void wrong(std::string_view where, bool minds_blank = false) const {
    if (at_ >= text_.size() && !minds_blank) panic("unexpected end of JSON input");
    if (at_ >= text_.size()) panic(fmt::format("invalid character ' ' {}", where));
    panic(fmt::format("invalid character {} {}", shown(text_[at_]), where));
  }

  // Go reads bytes here, and shows each as the character of that number.
  static std::string shown(char c) {
    if (c == '\'') return R"('\'')";
    if (c == '"') return R"('"')";
    std::string text;
    utf8::append(text, static_cast<unsigned char>(c));
    const std::string quoted = go::quote(text);
    return "'" + quoted.substr(1, quoted.size() - 2) + "'";
  }

  void skip_space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").contains(text_[at_])) ++at_;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  Value read(int depth) {
    if (depth > kMaxValueDepth) panic("exceeded max depth");
    skip_space();
    const char c = peek();
    if (c == '{' && at_ < text_.size()) return read_object(depth);
    if (c == '[') return read_array(depth);
    if (c == '"') return Value(read_string());
    if (c == '-' || (c >= '0' && c <= '9')) return read_number();
    if (c == 't') return read_word("true"), Value(true);
    if (c == 'f') return read_word("false"), Value(false);
    if (c == 'n') return read_word("null"), Value();
    wrong("looking for beginning of value");
  }

  void read_word(std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i, ++at_)
      if (peek() != word[i] || at_ >= text_.size())
        wrong(fmt::format("in literal {} (expecting '{}')", word, word[i]), true);
  }

  Value read_object(int depth) {
    Map entries;
    ++at_;
    skip_space();
    if (peek() == '}') return ++at_, Value::map(types().object, std::move(entries));
    while (true) {
      skip_space();
      if (peek() != '"') wrong("looking for beginning of object key string");
      std::string key = read_string();
      skip_space();
      if (peek() != ':') wrong("after object key");
      ++at_;
      entries.put(Value(std::move(key)), read(depth + 1));
      skip_space();
      if (peek() == '}') return ++at_, Value::map(types().object, std::move(entries));
      if (peek() != ',') wrong("after object key:value pair");
      ++at_;
    }
  }

  Value read_array(int depth) {
    std::vector<Value> items;
    ++at_;
    skip_space();
    if (peek() == ']') return ++at_, Value::list(types().anys, {});
    while (true) {
      items.push_back(read(depth + 1));
      skip_space();
      if (peek() == ']') return ++at_, Value::list(types().anys, std::move(items));
      if (peek() != ',') wrong("after array element");
      ++at_;
    }
  }

  void digits(std::string_view where) {
    if (peek() < '0' || peek() > '9') wrong(where, true);
    while (peek() >= '0' && peek() <= '9') ++at_;
  }

  Value read_number() {
    const std::size_t start = at_;
    if (peek() == '-') ++at_;
    if (peek() == '0')
      ++at_;
    else
      digits("in numeric literal");
    if (peek() == '.') ++at_, digits("after decimal point in numeric literal");
    if (peek() == 'e' || peek() == 'E') {
      ++at_;
      if (peek() == '+' || peek() == '-') ++at_;
      digits("in exponent of numeric literal");
    }
    const std::string_view number = text_.substr(start, at_ - start);
    const auto value = parse_float(number);
    if (!value)
      panic(fmt::format("json: cannot unmarshal number {} into Go value of type float64", number));
    return Value(*value);
  }

  std::string read_string() {
    std::string out;
    ++at_;
    while (true) {
      if (at_ >= text_.size()) wrong("");
      const char c = text_[at_];
      if (c == '"') return ++at_, out;
      if (static_cast<unsigned char>(c) < 0x20) wrong("in string literal");
      if (c == '\\') {
        read_escape(out);
      } else {
        const go::Rune rune = go::decode_rune(text_.substr(at_));
        utf8::append(out, rune.value);
        at_ += rune.width;
      }
    }
  }

  char32_t read_hex() {
    char32_t value = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      const char c = peek();
      const char lower = static_cast<char>(c | 0x20);
      if (c >= '0' && c <= '9')
        value = value * 16 + static_cast<char32_t>(c - '0');
      else if (lower >= 'a' && lower <= 'f')
        value = value * 16 + static_cast<char32_t>(lower - 'a' + 10);
      else
        wrong("in \\u hexadecimal character escape", true);
    }
    return value;
  }

  void read_escape(std::string& out) {
    ++at_;
    constexpr std::string_view kFrom = "\"\\/bfnrt";
    constexpr std::string_view kTo = "\"\\/\b\f\n\r\t";
    if (const auto found = kFrom.find(peek());
        at_ < text_.size() && found != std::string_view::npos) {
      out += kTo[found];
      ++at_;
      return;
    }
    if (peek() != 'u') wrong("in string escape code", true);
    ++at_;
    char32_t rune = read_hex();
    if (rune >= 0xD800 && rune < 0xDC00 && text_.substr(at_).starts_with("\\u")) {
      const std::size_t before = at_;
      at_ += 2;
      const char32_t low = read_hex();
      if (low >= 0xDC00 && low < 0xE000)
        rune = 0x10000 + ((rune - 0xD800) << 10) + (low - 0xDC00);
      else
        at_ = before;
    }
    utf8::append(out, rune);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

Value parse_json(const std::string& text) { return Reader(text).run(); }

}  // namespace slipway::lang::expr
