#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// Where yaml-cpp 0.7 differs from the YAML specification and go-yaml, found by comparing the two,
// and how to tell. Private to base/.
namespace slipway::yaml {

// A block mapping's key without its colon counts as a key without value. True when the key at
// `offset` of the document's text is such a one.
bool is_key_without_colon(std::string_view document, std::size_t offset, std::string_view key);

// The escapes \N and \_ come out as Latin-1 bytes.
std::string with_proper_escapes(std::string_view scalar);

// A folded scalar that keeps its last line ends (">+") loses one of them. `scalar` as it should be,
// when its header is at `offset`; unchanged when that is no such header.
std::string with_kept_line_ends(std::string_view document, std::size_t offset,
                                std::string_view scalar);

}  // namespace slipway::yaml
