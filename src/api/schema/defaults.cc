#include "api/schema/defaults.h"

#include <fmt/format.h>

#include "api/rules/validate.h"

namespace slipway::api {

namespace {

// A null stands for "not there" where the schema does not allow null.
void drop_null(json::Object& object, const Field& field) {
  const json::Value* found = object.if_contains(field.name);
  if (found != nullptr && found->is_null() && !field.type->nullable &&
      field.type->shape != Shape::kAny) {
    json::erase(object, field.name);
  }
}

// About what a value takes as JSON text.
std::size_t text_size(const json::Value& value) {
  if (const json::String* text = value.if_string()) return text->size() + 2;
  std::size_t size = 2;
  if (const json::Array* list = value.if_array()) {
    for (const json::Value& item : *list) size += text_size(item) + 1;
  } else if (const json::Object* object = value.if_object()) {
    for (const auto& entry : *object) size += entry.key().size() + 4 + text_size(entry.value());
  }
  return size;
}

// Defaults for one object.
class Filler {
 public:
  // False when the defaults have had all their room: what is not filled in by then stays as it is.
  bool fill(json::Value& value, const Schema& schema);
  bool fill(json::Object& object, const Schema& schema);

 private:
  bool add_missing(json::Object& object, const Field& field);

  std::size_t left_ = kMaxDefaultBytes;
};

bool Filler::add_missing(json::Object& object, const Field& field) {
  json::Value* found = object.if_contains(field.name);
  if (found != nullptr && (!found->is_null() || field.type->nullable)) return true;
  const std::size_t size = field.name.size() + 4 + text_size(*field.default_value);
  if (size > left_) return false;
  left_ -= size;
  if (found == nullptr)
    object.emplace(field.name, *field.default_value);
  else
    *found = *field.default_value;
  return true;
}

bool Filler::fill(json::Object& object, const Schema& schema) {
  for (const Field& field : schema.fields)
    if (field.default_value && !add_missing(object, field)) return false;
  bool nulls = false;
  for (auto& entry : object) {
    if (entry.value().is_null()) {
      nulls = true;
    } else if (const Field* field = schema.find(entry.key())) {
      if (!fill(entry.value(), *field->type)) return false;
    }
  }
  if (!nulls) return true;
  for (const Field& field : schema.fields) drop_null(object, field);
  return true;
}

bool Filler::fill(json::Value& value, const Schema& schema) {
  if (value.is_object()) {
    if (!schema.fields.empty()) return fill(value.get_object(), schema);
    if (schema.shape != Shape::kMap) return true;
    for (auto& entry : value.get_object())
      if (!fill(entry.value(), *schema.element)) return false;
  } else if (value.is_array() && schema.shape == Shape::kList) {
    for (json::Value& item : value.get_array())
      if (!fill(item, *schema.element)) return false;
  }
  return true;
}

}  // namespace

Result<> fill_in_defaults(json::Object& object, const Schema& schema) {
  if (Filler().fill(object, schema)) return {};
  return fail(ErrorCode::kTooLarge,
              fmt::format("the object is too large: the defaults of its schema would add more than "
                          "{} bytes to it",
                          kMaxDefaultBytes));
}

void set_defaults(json::Object& object, const Schema& schema) { Filler().fill(object, schema); }
void set_defaults(json::Value& value, const Schema& schema) { Filler().fill(value, schema); }

bool fill_in_defaults_that_fit(json::Object& object, const Schema& schema) {
  json::Object filled = object;
  if (!fill_in_defaults(filled, schema)) return false;
  if (json::write(filled).size() > kMaxDefaultBytes / 2) return false;
  object = std::move(filled);
  return true;
}

}  // namespace slipway::api
