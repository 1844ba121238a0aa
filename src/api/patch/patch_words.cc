#include "api/patch/patch_words.h"

#include <algorithm>

#include "api/rules/validate.h"
#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

json::Value reordered(const json::Value& value, const json::Value* touched, const Schema* schema);

const Schema* type_of(std::string_view key, const Schema* schema) {
  if (schema == nullptr) return nullptr;
  if (schema->shape == Shape::kMap) return schema->element;
  const Field* field = schema->shape == Shape::kObject ? schema->find(key) : nullptr;
  return field == nullptr ? nullptr : field->type;
}

// Go writes the fields of a struct in their order, and the keys of a map sorted.
std::vector<std::string_view> keys_in_order(const json::Object& object, bool touched,
                                            const Schema* schema) {
  std::vector<std::string_view> keys;
  const bool fields = !touched && schema != nullptr && schema->shape == Shape::kObject;
  if (fields) {
    for (const Field& field : schema->fields)
      if (object.contains(field.name)) keys.emplace_back(field.name);
  }
  for (const auto& [key, member] : object)
    if (!fields || schema->find(key) == nullptr) keys.emplace_back(key);
  if (!fields && (touched || schema != nullptr)) std::ranges::sort(keys);
  return keys;
}

json::Value reordered(const json::Value& value, const json::Value* touched, const Schema* schema) {
  const json::Object* into = touched ? touched->if_object() : nullptr;
  auto below = [&](std::string_view key) { return into ? into->if_contains(key) : nullptr; };
  if (const json::Object* object = value.if_object()) {
    json::Object out;
    for (std::string_view key : keys_in_order(*object, into != nullptr, schema))
      out[key] = reordered(object->at(key), below(key), type_of(key, schema));
    return out;
  }
  if (!value.is_array()) return value;
  const Schema* element = schema && schema->shape == Shape::kList ? schema->element : nullptr;
  json::Array items;
  for (const json::Value& item : value.get_array())
    items.push_back(reordered(item, below(std::to_string(items.size())), element));
  return items;
}

// The parts of "/a/b~1c" but the last, which names what is set, not what holds it.
void add_path(json::Value& tree, std::string_view path) {
  json::Value* here = &tree;
  while (path.starts_with('/')) {
    path.remove_prefix(1);
    const std::size_t end = path.find('/');
    if (end == std::string_view::npos) return;
    std::string part;
    for (std::size_t i = 0; i < end; ++i) {
      const bool escaped = path[i] == '~' && i + 1 < end;
      part += escaped ? (path[i + 1] == '1' ? '/' : '~') : path[i];
      i += escaped ? 1 : 0;
    }
    path.remove_prefix(end);
    json::Value& next = here->get_object()[part];
    if (!next.is_object()) next.emplace_object();
    here = &next;
  }
}

}  // namespace

std::string quote_patched(const json::Object& object, const PatchWords& words) {
  if (words.strategic) return go_plain(*words.strategic);
  if (!words.touched) return json::write(object, {.sort_keys = true});
  static const json::Value kNothing = json::Object();
  const json::Value* touched = words.touched->is_object() ? words.touched : &kNothing;
  return json::write(reordered(object, touched, words.schema));
}

std::unexpected<Error> cannot_decode(const json::Object& object, const PatchWords& words,
                                     std::string_view problem) {
  Findings findings;
  findings.invalid("patch", json::Value(quote_patched(object, words)), std::string(problem));
  return fail(findings.error({}, ""));
}

json::Value touched_by(const json::Value& operations) {
  json::Value tree = json::Object();
  if (!operations.is_array()) return tree;
  for (const json::Value& operation : operations.get_array()) {
    add_path(tree, json::string_at(operation, {"path"}));
    add_path(tree, json::string_at(operation, {"from"}));
  }
  return tree;
}

}  // namespace slipway::api
