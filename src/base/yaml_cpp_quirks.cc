#include "base/yaml_cpp_quirks.h"

#include <algorithm>

#include "base/utf8.h"

namespace slipway::yaml {
namespace {

// Takes a line, with its line end, from the front.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
  text.remove_prefix(line.size());
  return line;
}

std::size_t indentation(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// Of the quoted scalar at the front, quotes included.
std::size_t length_of_quoted(std::string_view text) {
  const char quote = text.front();
  std::size_t at = 1;
  for (; at < text.size(); ++at) {
    if (quote == '"' && text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      const bool doubled = quote == '\'' && at + 1 < text.size() && text[at + 1] == quote;
      if (!doubled) break;
      ++at;
    }
  }
  return at + 1;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

bool is_key_without_colon(std::string_view document, std::size_t offset, std::string_view key) {
  if (offset >= document.size()) return false;
  std::string_view rest = document.substr(offset);
  if (rest.starts_with('"') || rest.starts_with('\'')) {
    rest.remove_prefix(std::min(length_of_quoted(rest), rest.size()));
  } else if (rest.starts_with(key)) {
    rest.remove_prefix(key.size());
  } else {
    return false;  // after an anchor or a tag: not looked at
  }
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  const std::string_view before = document.substr(0, offset);
  const std::size_t last = before.find_last_not_of(" \t\r\n");
  const bool after_question_mark = last != std::string_view::npos && before[last] == '?';
  return !rest.starts_with(':') && !after_question_mark;
}

std::string with_proper_escapes(std::string_view scalar) {
  std::string out;
  while (!scalar.empty()) {
    const std::size_t length = utf8::length_of_first(scalar);
    if (length == 0) {
      // The document itself is well-formed, so only an escape can have left this byte.
      utf8::append(out, static_cast<unsigned char>(scalar.front()));
      scalar.remove_prefix(1);
    } else {
      out.append(scalar.substr(0, length));
      scalar.remove_prefix(length);
    }
  }
  return out;
}

std::string with_kept_line_ends(std::string_view document, std::size_t offset,
                                std::string_view scalar) {
  std::string_view rest = document.substr(std::min(offset, document.size()));
  // Asked of every scalar, and a line can be a whole document of them: no other is looked at
  // further.
  if (!rest.starts_with('>')) return std::string(scalar);
  const std::string_view header = take_line(rest).substr(0, 3);
  if (header.find('+') == std::string_view::npos) return std::string(scalar);
  std::size_t content = 0;  // indentation of the first line that is not blank
  std::size_t line_ends = 0;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    const bool ends = line.ends_with('\n');
    if (is_blank(line)) {
      line_ends += ends ? 1 : 0;
      continue;
    }
    if (content == 0) content = indentation(line);
    if (indentation(line) < content || content == 0) break;
    line_ends = ends ? 1 : 0;
  }
  const std::size_t last = scalar.find_last_not_of('\n');
  if (last == std::string_view::npos) return std::string(scalar);
  return std::string(scalar.substr(0, last + 1)).append(line_ends, '\n');
}

}  // namespace slipway::yaml
