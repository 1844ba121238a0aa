#include "base/yaml_emitter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/utf8.h"

namespace slipway::yaml {
namespace {

using namespace std::string_view_literals;

constexpr int kStep = 2;
constexpr int kWidth = 80;  // from here on, scalars are folded at the next space

std::string_view first_character(std::string_view text) {
  return text.substr(0, std::max<std::size_t>(utf8::length_of_first(text), 1));
}

}  // namespace

void Emitter::put(std::string_view text) {
  out_.append(text);
  for (char c : text) column_ += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
}

void Emitter::new_line() {
  out_ += '\n';
  column_ = 0;
}

void Emitter::indent() {
  const int wanted = std::max(indent_, 0);
  if (!only_indentation_ || column_ > wanted || (column_ == wanted && !after_white_)) new_line();
  while (column_ < wanted) put(" ");
  after_white_ = true;
  only_indentation_ = true;
}

void Emitter::indicator(std::string_view mark, bool separated, bool keeps_indentation) {
  if (separated && !after_white_) put(" ");
  put(mark);
  after_white_ = false;
  only_indentation_ = only_indentation_ && keeps_indentation;
}

void Emitter::word(std::string_view text) {
  if (!after_white_) put(" ");
  put(text);
  after_white_ = false;
  only_indentation_ = false;
}

void Emitter::string(std::string_view text, bool as_key) {
  const int outer = indent_;
  indent_ = indent_ < 0 ? kStep : indent_ + kStep;
  switch (choose_style(text, as_key)) {
    case Style::kPlain:
      plain(text, !as_key);
      break;
    case Style::kSingleQuoted:
      single_quoted(text, !as_key);
      break;
    case Style::kDoubleQuoted:
      double_quoted(text, !as_key);
      break;
    case Style::kLiteral:
      literal(text);
      break;
  }
  indent_ = outer;
}

bool Emitter::fold_here(std::string_view text, std::size_t at) const {
  if (text[at] != ' ' || column_ <= kWidth) return false;
  return at > 0 && text[at - 1] != ' ' && at + 1 < text.size() && text[at + 1] != ' ';
}

void Emitter::plain(std::string_view text, bool may_fold) {
  if (!after_white_) put(" ");
  for (std::size_t at = 0; at < text.size();) {
    if (may_fold && fold_here(text, at)) {
      indent();
      ++at;
      continue;
    }
    const std::string_view character = first_character(text.substr(at));
    put(character);
    if (character != " ") only_indentation_ = false;
    at += character.size();
  }
  after_white_ = false;
  only_indentation_ = false;
}

void Emitter::single_quoted(std::string_view text, bool may_fold) {
  indicator("'", true, false);
  for (std::size_t at = 0; at < text.size();) {
    if (may_fold && fold_here(text, at)) {
      indent();
      ++at;
      continue;
    }
    const std::string_view character = first_character(text.substr(at));
    if (character == "'") put("'");
    put(character);
    only_indentation_ = only_indentation_ && character == " ";
    at += character.size();
  }
  indicator("'", false, false);
}

void Emitter::double_quoted(std::string_view text, bool may_fold) {
  indicator("\"", true, false);
  bool after_space = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view character = first_character(text.substr(at));
    const char32_t code = utf8::decode_first(character, character.size());
    const bool is_space = code == ' ';
    if (!is_shown(code) || code == '\n' || code == '"' || code == '\\') {
      escaped(code);
    } else if (is_space && may_fold && !after_space && column_ > kWidth && at > 0 &&
               at + 1 < text.size()) {
      indent();
      if (text[at + 1] == ' ') put("\\");
    } else {
      put(character);
    }
    after_space = is_space;
    at += character.size();
  }
  indicator("\"", false, false);
}

void Emitter::escaped(char32_t character) {
  constexpr std::u32string_view kNamed = U"\0\a\b\t\n\v\f\r\x1b\"\\\x85\xa0\u2028\u2029"sv;
  constexpr std::string_view kNames = "0abtnvfre\"\\N_LP";
  const std::size_t known = kNamed.find(character);
  if (known != std::u32string_view::npos) {
    put("\\");
    put(kNames.substr(known, 1));
    return;
  }
  const auto code = static_cast<std::uint32_t>(character);
  put(code <= 0xFF     ? fmt::format("\\x{:02X}", code)
      : code <= 0xFFFF ? fmt::format("\\u{:04X}", code)
                       : fmt::format("\\U{:08X}", code));
}

void Emitter::literal(std::string_view text) {
  indicator("|", true, false);
  if (text.starts_with(' ') || text.starts_with('\n')) put(fmt::format("{}", kStep));
  if (!text.ends_with('\n')) {
    put("-");
  } else if (text == "\n" || text.ends_with("\n\n")) {
    put("+");
  }
  new_line();
  only_indentation_ = true;
  after_white_ = true;
  bool line_start = true;
  for (char c : text) {
    if (c == '\n') {
      new_line();
      only_indentation_ = true;
      line_start = true;
      continue;
    }
    if (line_start) indent();
    put(std::string_view(&c, 1));
    only_indentation_ = false;
    line_start = false;
  }
}

}  // namespace slipway::yaml
