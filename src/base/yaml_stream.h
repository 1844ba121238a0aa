#pragma once

#include <string_view>
#include <vector>

#include "base/error.h"

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

// Refuses what YAML refuses: malformed UTF-8 and control characters.
Result<> check_characters(std::string_view text);

}  // namespace slipway::yaml
