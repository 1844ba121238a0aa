#include "api/template_hash.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "api/kinds/argo_names.h"
#include "api/registry.h"
#include "api/rules/kind_rules.h"
#include "api/wire/go_types.h"
#include "base/hash.h"

namespace slipway::api {

namespace {

// A constant, made at the first use: callers are pure and have no registry at hand.
const Schema& schema_named(std::string_view name) {
  static const std::unique_ptr<const Registry> kRegistry = Registry::make();
  const Schema* found = kRegistry->schemas().find(name);
  SLIPWAY_ASSERT(found != nullptr);
  return *found;
}

const Schema& pod_template_schema() {
  static const Schema& schema = schema_named("io.k8s.api.core.v1.PodTemplateSpec");
  return schema;
}
const Schema& step_schema() {
  static const Schema& schema = schema_named("io.argoproj.v1alpha1.CanaryStep");
  return schema;
}

// encoding/json: the fields of structs in their order, the keys of maps sorted, HTML escaped.
class GoText {
 public:
  void append(const json::Value& value, const Schema& schema) {
    if (value.is_object() && schema.shape == Shape::kObject && !schema.fields.empty())
      return append_struct(value.get_object(), schema);
    if (value.is_object() && schema.shape == Shape::kMap && schema.element != nullptr)
      return append_map(value.get_object(), *schema.element);
    if (value.is_array() && schema.shape == Shape::kList && schema.element != nullptr)
      return append_list(value.get_array(), *schema.element);
    json::append(text, value, {.escape_html = true, .sort_keys = true});
  }

  std::string text = {};

 private:
  void append_struct(const json::Object& object, const Schema& schema) {
    char before = '{';
    for (const Field& field : schema.fields) {
      const json::Value* value = object.if_contains(field.name);
      if (value == nullptr) continue;
      append_key(std::exchange(before, ','), field.name);
      append(*value, *field.type);
    }
    text += before == '{' ? "{}" : "}";
  }

  void append_map(const json::Object& object, const Schema& element) {
    std::vector<const json::Object::value_type*> entries;
    for (const auto& entry : object) entries.push_back(&entry);
    std::ranges::sort(entries, {}, [](const auto* entry) { return entry->key(); });
    char before = '{';
    for (const auto* entry : entries) {
      append_key(std::exchange(before, ','), entry->key());
      append(entry->value(), element);
    }
    text += before == '{' ? "{}" : "}";
  }

  void append_list(const json::Array& list, const Schema& element) {
    text += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0) text += ',';
      append(list[i], element);
    }
    text += ']';
  }

  void append_key(char before, std::string_view key) {
    text += before;
    json::append_string(text, key, true);
    text += ':';
  }
};

// What Go makes of the object on its way through a struct. A value of a wrong type stays as it is:
// it is refused elsewhere, and here it only has to hash the same each time.
std::string go_text(json::Object object, const Schema& schema) {
  go_decode(object, schema);
  go_encode(object, schema);
  GoText out;
  out.append(json::Value(std::move(object)), schema);
  return std::move(out.text);
}

json::Object without_hash(json::Object pod_template) {
  json::Value* metadata = pod_template.if_contains("metadata");
  json::Value* labels = metadata != nullptr ? json::at(*metadata, {"labels"}) : nullptr;
  if (labels != nullptr && labels->is_object()) json::erase(labels->get_object(), argo::kHashLabel);
  return pod_template;
}

std::string defaulted_text(json::Object pod_template) {
  json::Value* spec = pod_template.if_contains("spec");
  if (spec != nullptr && spec->is_object()) {
    default_pod_spec(spec->get_object());
    json::erase(spec->get_object(), "serviceAccount");
  }
  return template_text(pod_template);
}

std::string encoded(std::uint32_t hash) { return safe_encode(std::to_string(hash)); }

}  // namespace

std::string template_text(const json::Object& pod_template) {
  return go_text(without_hash(pod_template), pod_template_schema());
}

std::string template_hash(const json::Object& pod_template, std::optional<std::int32_t> collisions,
                          std::string_view salt) {
  std::uint32_t hash = fnv1a32(template_text(pod_template));
  if (collisions) {
    std::string count(8, '\0');
    for (std::size_t i = 0; i < 4; ++i)
      count[i] = static_cast<char>((static_cast<std::uint32_t>(*collisions) >> (8 * i)) & 0xff);
    hash = fnv1a32(count, hash);
  }
  return encoded(fnv1a32(salt, hash));
}

std::string steps_hash(const json::Value& steps) {
  if (!steps.is_array()) return encoded(fnv1a32("null"));
  std::string text = "[";
  for (const json::Value& step : steps.get_array()) {
    if (text.size() > 1) text += ',';
    text += go_text(step.is_object() ? step.get_object() : json::Object(), step_schema());
  }
  return encoded(fnv1a32(text + "]"));
}

bool same_template(const json::Object& a, const json::Object& b) {
  return defaulted_text(a) == defaulted_text(b);
}

}  // namespace slipway::api
