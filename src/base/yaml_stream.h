#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/yaml.h"

// A stream of YAML documents before its documents are parsed. Private to base/.
namespace slipway::yaml {

// The text of one document, its `---` line included.
struct Chunk {
  std::string_view text;
  int first_line = 1;  // in the stream
  bool only_directives = false;
};

// Cuts at the lines `---` and `...`, which YAML allows nowhere else in the first column.
std::vector<Chunk> split_stream(std::string_view text);

// What YAML does not allow in a text: malformed UTF-8 and control characters.
struct BadCharacter {
  std::size_t offset = 0;
  std::string_view what;
};
std::optional<BadCharacter> find_bad_character(std::string_view text);

// Of a byte of the chunk, in the stream.
Position position_of(const Chunk& chunk, std::size_t offset);

}  // namespace slipway::yaml
