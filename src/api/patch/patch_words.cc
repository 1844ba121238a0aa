#include "api/patch/patch_words.h"

#include <algorithm>

#include "api/rules/validate.h"
#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

json::Value reordered(const json::Value& value, const json::Value* touched);

json::Object sorted(const json::Object& object, const json::Object& touched) {
  std::vector<std::string_view> keys;
  for (const auto& [key, member] : object) keys.emplace_back(key);
  std::ranges::sort(keys);
  json::Object out;
  for (std::string_view key : keys) out[key] = reordered(object.at(key), touched.if_contains(key));
  return out;
}

json::Value reordered(const json::Value& value, const json::Value* touched) {
  const json::Object* into = touched ? touched->if_object() : nullptr;
  if (!into) return value;
  if (value.is_object()) return sorted(value.get_object(), *into);
  if (!value.is_array()) return value;
  json::Array items;
  for (const json::Value& item : value.get_array())
    items.push_back(reordered(item, into->if_contains(std::to_string(items.size()))));
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
  static const json::Object kNothing;
  const json::Object* touched = words.touched->if_object();
  return json::write(sorted(object, touched ? *touched : kNothing));
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
