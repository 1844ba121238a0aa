#include "base/yaml_stream.h"

#include <algorithm>

#include "base/utf8.h"

namespace slipway::yaml {
namespace {

constexpr std::string_view kByteOrderMark = "\uFEFF";

bool is_marker(std::string_view line, std::string_view marker) {
  if (!line.starts_with(marker)) return false;
  line.remove_prefix(marker.size());
  return line.empty() || line.find_first_of(" \t\r\n") == 0;
}

bool is_comment(std::string_view line) {
  const std::size_t start = line.find_first_not_of(" \t\r\n");
  return start == std::string_view::npos || line[start] == '#';
}

bool is_printable(char32_t character) {
  if (character < 0x20) return character == '\t' || character == '\n' || character == '\r';
  if (character < 0xA0) return character < 0x7F || character == 0x85;
  return character != 0xFFFE && character != 0xFFFF;
}

}  // namespace

std::vector<Chunk> split_stream(std::string_view text) {
  std::vector<Chunk> chunks;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::size_t start = 0;
  int start_line = 1;
  bool has_content = false;     // `---` included
  bool has_directives = false;  // they, like comments, belong to the document after them
  const auto cut = [&](std::size_t end, std::size_t next, int next_line) {
    if (has_content || has_directives) {
      chunks.push_back({text.substr(start, end - start), start_line, !has_content});
    }
    start = next;
    start_line = next_line;
    has_content = false;
    has_directives = false;
  };
  int line_number = 1;
  for (std::size_t at = 0; at < text.size(); ++line_number) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    if (is_marker(line, "---")) {
      if (has_content) cut(at, at, line_number);
      has_content = true;
    } else if (is_marker(line, "...")) {
      cut(at, end, line_number + 1);
    } else if (line.starts_with('%') && !has_content) {
      has_directives = true;
    } else {
      has_content = has_content || !is_comment(line);
    }
    at = end;
  }
  cut(text.size(), text.size(), line_number);
  return chunks;
}

std::optional<BadCharacter> find_bad_character(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    const std::size_t length = utf8::length_of_first(rest);
    if (length == 0) return BadCharacter{at, "malformed UTF-8"};
    if (!is_printable(utf8::decode_first(rest, length))) {
      return BadCharacter{at, "a control character"};
    }
    at += length;
  }
  return std::nullopt;
}

Position position_of(const Chunk& chunk, std::size_t offset) {
  const std::string_view before = chunk.text.substr(0, offset);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  return {.line = chunk.first_line + static_cast<int>(lines),
          .column = static_cast<int>(offset - (before.rfind('\n') + 1)) + 1};
}

}  // namespace slipway::yaml
