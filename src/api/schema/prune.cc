#include <algorithm>

#include "api/rules/validate.h"
#include "api/schema/field_path.h"

namespace slipway::api {

namespace {

constexpr std::size_t kMaxListedFields =
    100;  // more unknown fields than this are removed, not listed

class Pruner {
 public:
  explicit Pruner(std::vector<std::string>& unknown) : unknown_(unknown) {}

  // With a const value, only lists.
  template <class Value>
  void walk(Value& value, const Schema& schema, const FieldPath& path) {
    if (value.is_object()) {
      if (schema.shape == Shape::kObject || !schema.fields.empty())
        walk_fields(value.get_object(), schema, path);
      else if (schema.shape == Shape::kMap)
        walk_entries(value.get_object(), *schema.element, path);
    } else if (value.is_array() && schema.shape == Shape::kList) {
      std::size_t index = 0;
      for (auto& item : value.get_array()) walk(item, *schema.element, FieldPath(path, index++));
    }
  }

  template <class Object>
  void walk_fields(Object& object, const Schema& schema, const FieldPath& path) {
    std::vector<std::string> doomed;
    for (auto& entry : object) {
      std::string_view key(entry.key().data(), entry.key().size());
      FieldPath here(path, key);
      if (const Field* field = schema.find(key)) {
        walk(entry.value(), *field->type, here);
      } else if (schema.shape == Shape::kObject && !schema.preserve_unknown) {
        if (unknown_.size() < kMaxListedFields) unknown_.push_back(here.text());
        if constexpr (!std::is_const_v<Object>) doomed.emplace_back(key);
      }
    }
    if constexpr (!std::is_const_v<Object>) {
      for (const std::string& key : doomed) json::erase(object, key);
    }
  }

 private:
  template <class Object>
  void walk_entries(Object& object, const Schema& element, const FieldPath& path) {
    for (auto& entry : object) {
      walk(entry.value(), element,
           FieldPath(path, std::string_view(entry.key().data(), entry.key().size())));
    }
  }

  std::vector<std::string>& unknown_;
};

}  // namespace

void prune(json::Object& object, const Schema& schema, std::vector<std::string>& removed) {
  Pruner(removed).walk_fields(object, schema, FieldPath());
}

std::vector<std::string> unknown_fields(const json::Object& object, const Schema& schema) {
  std::vector<std::string> unknown;
  Pruner(unknown).walk_fields(object, schema, FieldPath());
  return unknown;
}

}  // namespace slipway::api
