#include "base/json_depth.h"

#include <algorithm>

namespace slipway::json {

bool nested_within(const Value& value, std::size_t levels) {
  if (const Object* object = value.if_object()) return nested_within(*object, levels);
  const Array* array = value.if_array();
  if (!array) return true;
  return levels > 0 && std::ranges::all_of(*array, [levels](const Value& element) {
           return nested_within(element, levels - 1);
         });
}

bool nested_within(const Object& object, std::size_t levels) {
  return levels > 0 && std::ranges::all_of(object, [levels](const auto& member) {
           return nested_within(member.value(), levels - 1);
         });
}

}  // namespace slipway::json
