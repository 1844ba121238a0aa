#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

// Words of configuration and protocols: ASCII letters have a case, other bytes are kept as they
// are.
namespace slipway::text {

std::string lower(std::string_view text);
std::string upper(std::string_view text);

// Without blanks (space, tab, line ends) before and after.
std::string_view trim(std::string_view text);

// The parts between separators, empty ones too; "" has one part.
std::vector<std::string> split(std::string_view text, char separator);

// "json, yaml or name"
std::string either(const std::vector<std::string>& words);

// Edits (insert, delete, replace, swap neighbours) from one word to the other; upper and lower case
// are the same.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The word that was probably meant by `word`: the nearest within a third of its length, the first
// of several. Empty when none is near.
std::string_view likely(std::string_view word, const std::vector<std::string_view>& known);

}  // namespace slipway::text
