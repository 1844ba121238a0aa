#include "api/schema/type_word.h"

namespace slipway::api {

std::string_view type_word(Shape shape) {
  switch (shape) {
    case Shape::kObject:
    case Shape::kMap:
      return "object";
    case Shape::kList:
      return "array";
    case Shape::kInt32:
    case Shape::kInt64:
      return "integer";
    case Shape::kDouble:
      return "number";
    case Shape::kBool:
      return "boolean";
    case Shape::kQuantity:
    case Shape::kIntOrString:
      return "integer,string";
    default:
      return "string";
  }
}

}  // namespace slipway::api
