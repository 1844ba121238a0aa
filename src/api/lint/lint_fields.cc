#include <fmt/format.h>

#include "api/lint/lint_report.h"
#include "api/rules/argo_rules.h"
#include "api/schema/codec_types.h"
#include "base/text.h"

// Problems of form that lint words itself.
namespace slipway::api {

namespace {

using codec::Path;

// The known field that was probably meant; empty when none is near.
std::string_view likely_field(std::string_view word, const Schema& schema) {
  std::vector<std::string_view> names;
  for (const Field& field : schema.fields) names.push_back(field.name);
  return text::likely(word, names);
}

// Calls `visit(value, schema, path)` for every value with a schema, objects before their members.
template <class Visit>
void walk(const json::Value& value, const Schema& schema, const Path& path, Visit& visit) {
  visit(value, schema, path);
  if (value.is_array() && schema.shape == Shape::kList && schema.element != nullptr) {
    std::ptrdiff_t index = 0;
    for (const json::Value& item : value.get_array())
      walk(item, *schema.element, Path{.parent = &path, .index = index++}, visit);
  } else if (value.is_object() && schema.shape == Shape::kMap && schema.element != nullptr) {
    for (const auto& [key, item] : value.get_object())
      walk(item, *schema.element, Path{.parent = &path, .text = key, .index = codec::kMapKey},
           visit);
  } else if (value.is_object() && schema.shape == Shape::kObject) {
    for (const auto& [key, item] : value.get_object())
      if (const Field* field = schema.find(key))
        walk(item, *field->type, Path{.parent = &path, .text = key}, visit);
  }
}

void report_unknown(std::string_view key, const Schema& schema, const Path& object,
                    LintReport& report) {
  const std::string path = Path{.parent = &object, .text = key, .index = codec::kMapKey}.str();
  const std::string_view meant = likely_field(key, schema);
  if (meant.empty()) return report.error(path, fmt::format("unknown field \"{}\"", key));
  report.error(path, fmt::format("unknown field \"{}\"; did you mean \"{}\"?", key, meant));
  report.settle(Path{.parent = &object, .text = meant}.str());
}

}  // namespace

void lint_fields(const json::Object& object, const Schema& schema, LintReport& report) {
  auto visit = [&](const json::Value& value, const Schema& form, const Path& path) {
    if (!value.is_object() || form.shape != Shape::kObject || form.preserve_unknown) return;
    for (const auto& [key, unused] : value.get_object())
      if (form.find(key) == nullptr) report_unknown(key, form, path, report);
  };
  walk(json::Value(object), schema, Path{}, visit);
}

void lint_durations(const json::Object& object, const Schema& schema, LintReport& report) {
  auto visit = [&](const json::Value& value, const Schema& form, const Path& path) {
    if (!value.is_string() || form.format != kGoDurationFormat) return;
    const std::string_view text = value.get_string();
    if (text.empty() || argo::is_templated(text)) return;
    if (const Result<Duration> duration = parse_duration(text); !duration)
      report.error(path.str(), duration.error().message);
  };
  walk(json::Value(object), schema, Path{}, visit);
}

}  // namespace slipway::api
