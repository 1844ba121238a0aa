#include "server/go_syntax.h"

#include <fmt/format.h>

#include <cctype>

#include "base/json.h"

namespace slipway::server {

namespace {

// Follows the grammar and stops at the first byte that does not fit, as Go's scanner does.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::string run() {
    value(0);
    space();
    if (error_.empty() && at_ < text_.size()) wrong("after top-level value");
    return error_;
  }

 private:
  bool ok() const { return error_.empty(); }
  bool end() const { return at_ >= text_.size(); }

  bool wrong(std::string_view where) {
    if (!ok()) return false;
    if (end()) {
      error_ = "unexpected end of JSON input";
    } else {
      const char c = text_[at_];
      const std::string shown = c == '\'' ? "'\\''" : c == '"' ? "'\"'" : fmt::format("{:?}", c);
      error_ = fmt::format("invalid character {} {}", shown, where);
    }
    return false;
  }

  void space() {
    while (!end() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r' || text_[at_] == '\n'))
      ++at_;
  }

  bool take(char c, std::string_view otherwise) {
    space();
    if (end() || text_[at_] != c) return wrong(otherwise);
    ++at_;
    return true;
  }

  bool value(std::size_t depth) {
    space();
    if (end() || depth > json::kMaxDepth) return wrong("looking for beginning of value");
    const char c = text_[at_];
    if (c == '{') return object(depth);
    if (c == '[') return array(depth);
    if (c == '"') return string();
    if (c == '-' || std::isdigit(static_cast<unsigned char>(c))) return number();
    for (std::string_view word : {"true", "false", "null"})
      if (c == word[0]) return literal(word);
    return wrong("looking for beginning of value");
  }

  bool object(std::size_t depth) {
    ++at_;
    space();
    if (!end() && text_[at_] == '}') return ++at_, true;
    while (true) {
      space();
      if (end() || text_[at_] != '"') return wrong("looking for beginning of object key string");
      if (!string() || !take(':', "after object key") || !value(depth + 1)) return false;
      space();
      if (!end() && text_[at_] == '}') return ++at_, true;
      if (!take(',', "after object key:value pair")) return false;
    }
  }

  bool array(std::size_t depth) {
    ++at_;
    space();
    if (!end() && text_[at_] == ']') return ++at_, true;
    while (true) {
      if (!value(depth + 1)) return false;
      space();
      if (!end() && text_[at_] == ']') return ++at_, true;
      if (!take(',', "after array element")) return false;
    }
  }

  bool string() {
    for (++at_; !end(); ++at_) {
      const char c = text_[at_];
      if (c == '"') return ++at_, true;
      if (static_cast<unsigned char>(c) < 0x20) return wrong("in string literal");
      if (c != '\\') continue;
      if (++at_; end()) break;
      if (std::string_view("\"\\/bfnrt").find(text_[at_]) != std::string_view::npos) continue;
      if (text_[at_] != 'u') return wrong("in string escape code");
      for (int i = 0; i < 4; ++i)
        if (++at_; end() || !std::isxdigit(static_cast<unsigned char>(text_[at_])))
          return wrong("in \\u hexadecimal character escape");
    }
    return wrong("");
  }

  void digits() {
    while (!end() && std::isdigit(static_cast<unsigned char>(text_[at_]))) ++at_;
  }

  bool number() {
    if (text_[at_] == '-') ++at_;
    if (end() || !std::isdigit(static_cast<unsigned char>(text_[at_])))
      return wrong("in numeric literal");
    if (text_[at_] == '0')
      ++at_;
    else
      digits();
    if (!end() && text_[at_] == '.') {
      if (++at_; end() || !std::isdigit(static_cast<unsigned char>(text_[at_])))
        return wrong("after decimal point in numeric literal");
      digits();
    }
    if (!end() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      if (++at_; !end() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      if (end() || !std::isdigit(static_cast<unsigned char>(text_[at_])))
        return wrong("in exponent of numeric literal");
      digits();
    }
    return true;
  }

  bool literal(std::string_view word) {
    for (std::size_t i = 1; i < word.size(); ++i)
      if (++at_; end() || text_[at_] != word[i])
        return wrong(fmt::format("in literal {} (expecting '{}')", word, word[i]));
    ++at_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace

std::string go_syntax_error(std::string_view text) { return Scanner(text).run(); }

}  // namespace slipway::server
