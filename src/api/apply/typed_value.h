#pragma once

#include <optional>
#include <vector>

#include "api/apply/path_element.h"
#include "api/schema/schema.h"

// A JSON value seen through its schema the way structured-merge-diff sees it: a scalar, a list or a
// map, some of them atomic. A null schema stands for a type nobody described, whose form the value
// itself tells.
namespace slipway::api {

enum class Form { kScalar, kList, kMap };

// Maps are open and lists are leaves under such a type.
inline bool is_undescribed(const Schema* schema) {
  return schema == nullptr || schema->shape == Shape::kAny;
}

// The value may be null, in C++ and in JSON.
Form form_of(const Schema* schema, const json::Value* value);

inline bool is_atomic_map(const Schema* schema) { return schema != nullptr && schema->atomic; }
inline bool is_atomic_list(const Schema* schema) {
  return is_undescribed(schema) || schema->list_type == ListType::kAtomic;
}

// The type below a map's key; null when nobody described it.
const Schema* member_type(const Schema* schema, std::string_view key);
// Is it a field of the type, rather than an entry of a map?
bool is_named_field(const Schema* schema, std::string_view key);

// What Go holds in a field that the document leaves out: null pointer when Go leaves it out as
// well.
const json::Value* go_zero(const Field& field);

// One item of a list-map or set, with the element that names it.
struct ListItem {
  PathElement element;
  const json::Value* value = nullptr;
  std::size_t index = 0;
};
// The element of one item. Errors: kInvalid, worded as structured-merge-diff words them, without
// the item's index.
Result<PathElement> element_of(const Schema& list, const json::Value& item);
// All that have an element, in the list's order.
std::vector<ListItem> items_of(const Schema& list, const json::Array& array);
// The same sorted by element; equal ones keep their order.
std::vector<ListItem> sorted_items_of(const Schema& list, const json::Array& array);

// The JSON containers, or null when the value is something else.
inline const json::Object* object_in(const json::Value* value) {
  return value == nullptr ? nullptr : value->if_object();
}
inline const json::Array* array_in(const json::Value* value) {
  return value == nullptr ? nullptr : value->if_array();
}
template <class Container>
bool is_empty(const Container* container) {
  return container == nullptr || container->empty();
}

}  // namespace slipway::api
