#pragma once

#include <string_view>
#include <vector>

#include "api/schema/schema.h"

namespace slipway::api {

// Takes the next word off `line`; empty at its end. Words have no blanks: JSON in them writes
// \u0020.
std::string_view next_word(std::string_view& line);

// What the attributes of a table's field line say.
struct TableAttributes {
  Field field = {};       // its flags, patch strategy and default
  Schema limits = {};     // of the value: enum, pattern, min, list and map types …
  Schema inner = {};      // of the items of a list or the values of a map
  std::string signature;  // the attributes about limits as text: equal ones share a schema
  std::string inner_signature;
};
// Errors: kInvalid naming the attribute.
Result<TableAttributes> read_attributes(std::string_view words);

}  // namespace slipway::api
