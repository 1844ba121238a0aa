#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "api/lint/lint_report.h"
#include "api/rules/argo_rules.h"
#include "api/schema/codec_types.h"

// Problems of form that lint words itself.
namespace slipway::api {

namespace {

using codec::Path;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Edits (insert, delete, replace, swap neighbours) from one word to the other; upper and lower case
// are the same.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = std::exchange(last, row);
  }
  return last[b.size()];
}

// The known field that was probably meant; empty when none is near.
std::string_view likely_field(std::string_view word, const Schema& schema) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const Field& field : schema.fields) {
    const std::size_t distance = edit_distance(word, field.name);
    if (distance < least) {
      least = distance;
      best = field.name;
    }
  }
  return best;
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
