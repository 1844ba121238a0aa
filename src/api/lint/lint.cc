#include "api/lint/lint.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "api/lint/lint_report.h"
#include "api/lint/list_items.h"
#include "api/object.h"
#include "api/patch/drop_nulls.h"
#include "api/rules/place.h"
#include "api/schema/codec_types.h"

namespace slipway::api {

namespace {

// Stand-ins for what a server fills in before it validates.
constexpr std::string_view kUid = "00000000-0000-0000-0000-000000000000";

// Whether one path is the other, or lies inside it.
bool contains(std::string_view outer, std::string_view inner) {
  return inner.starts_with(outer) &&
         (inner.size() == outer.size() || inner[outer.size()] == '.' || inner[outer.size()] == '[');
}

json::Object as_stored(const json::Object& object, const Resource& resource) {
  json::Value value = object;
  drop_nulls(value);  // null is as good as absent in a manifest
  json::Object stored = std::move(value.get_object());
  json::Object& metadata = metadata_of(stored);
  const Place prefix(metadata.if_contains("generateName"), "");
  if (!metadata.contains("name") && !prefix.empty())
    metadata["name"] = std::string(prefix.text()) + "x";
  if (resource.namespaced && !metadata.contains("namespace")) metadata["namespace"] = "default";
  metadata["uid"] = kUid;
  return stored;
}

// The value at a path such as spec.ports[0].targetPort or data[a.b]; null pointer when there is
// none.
const json::Value* value_at(const json::Object& object, std::string_view path) {
  const json::Value* value = nullptr;
  const json::Object* members = &object;
  while (!path.empty()) {
    const bool bracket = path.front() == '[';
    const std::size_t end =
        bracket ? path.find(']') : std::min(path.find_first_of(".["), path.size());
    if (end == std::string_view::npos) return nullptr;
    const std::string_view step = bracket ? path.substr(1, end - 1) : path.substr(0, end);
    path.remove_prefix(bracket ? end + 1 : end);
    if (path.starts_with('.')) path.remove_prefix(1);
    std::int64_t index = 0;
    if (members != nullptr) {
      value = members->if_contains(step);
    } else if (value->is_array() && codec::parse_integer(step, index) && index >= 0) {
      value = value->get_array().if_contains(static_cast<std::size_t>(index));
    } else {
      return nullptr;
    }
    if (value == nullptr) return nullptr;
    members = value->if_object();
  }
  return value;
}

constexpr std::size_t kMaxShownValue = 60;

std::string shown(const json::Value& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "a list";
  std::string text = json::write(value);
  return text.size() <= kMaxShownValue ? text : "text of " + std::to_string(text.size()) + " bytes";
}

// An API server tells of a wrong type what type was found, and the field once more; who wrote the
// manifest looks for the value.
Cause with_the_value(Cause cause, const json::Object& written) {
  constexpr std::string_view kType = " in body must be of type ";
  const json::Value* value = value_at(written, cause.field);
  const std::size_t at = cause.message.find(kType);
  const std::size_t end = cause.message.rfind(": ");
  if (cause.reason != "FieldValueTypeInvalid" || value == nullptr || at == std::string::npos ||
      end < at + kType.size())
    return cause;
  const std::string type = cause.message.substr(at + kType.size(), end - at - kType.size());
  cause.message = fmt::format("must be of type {}, and is {}", type, shown(*value));
  if (type == "string" && value->is_bool())
    cause.message += ", as YAML also reads y, yes, on, n, no and off; put quotes around text";
  return cause;
}

// What is in a Secret is nobody's to see, and its mistakes can be told without.
Cause without_the_value(Cause cause) {
  cause.message = cause.field.starts_with("data")
                      ? "must be base64 text; what is not goes under stringData"
                      : "must be of type string; put quotes around it";
  return cause;
}

bool is_secret_value(const Resource& resource, std::string_view field) {
  return resource.gvk.group.empty() && resource.gvk.kind == "Secret" &&
         (contains("data", field) || contains("stringData", field));
}

std::string_view parent_of(std::string_view path) {
  return path.substr(0, std::min(path.rfind('.'), path.size()));
}

// A value nobody wrote came from a default; when something beside it is wrong, that is the mistake.
bool follows_from_another(const Cause& cause, const Findings& findings,
                          const json::Object& written) {
  if (cause.reason == "FieldValueRequired" || value_at(written, cause.field) != nullptr)
    return false;
  return std::ranges::any_of(findings.causes, [&](const Cause& other) {
    return &other != &cause && other.field != cause.field &&
           parent_of(other.field) == parent_of(cause.field);
  });
}

void lint_rules(const json::Object& written, const Resource& resource, LintReport& report) {
  Findings findings;
  check_metadata(written, nullptr, resource, findings);
  json::Value value = written;
  if (resource.schema != nullptr) set_defaults(value, *resource.schema);
  json::Object& object = value.get_object();
  if (resource.rules.set_defaults) resource.rules.set_defaults(object);
  if (resource.rules.prepare) resource.rules.prepare(object, nullptr);
  if (resource.rules.validate) resource.rules.validate(object, nullptr, findings);
  Findings mistakes;
  std::ranges::copy_if(
      findings.causes, std::back_inserter(mistakes.causes),
      [&](const Cause& cause) { return !follows_from_another(cause, findings, written); });
  report.add(mistakes);
}

void lint_object(const json::Object& object, const Resource& resource, LintReport& report) {
  if (resource.schema == nullptr) return;
  const json::Object stored = as_stored(object, resource);
  lint_fields(object, *resource.schema, report);
  report.next_stage();
  lint_durations(object, *resource.schema, report);
  Findings form;
  check(stored, *resource.schema, form);
  for (Cause& cause : form.causes)
    cause = is_secret_value(resource, cause.field) ? without_the_value(std::move(cause))
                                                   : with_the_value(std::move(cause), stored);
  report.add(form);
  // Kubernetes says of a missing selector that it does not match, too.
  if (!Place::of(stored, "spec")["selector"].present())
    report.settle("spec.template.metadata.labels");
  report.next_stage();
  lint_rules(stored, resource, report);
  if (resource.gvk.group == "argoproj.io") lint_argo(stored, report);
}

// True when the document says what it is.
bool lint_identity(const json::Object& object, LintReport& report) {
  bool complete = true;
  for (const std::string_view field : {"apiVersion", "kind"}) {
    const Place found = Place::of(object, field);
    if (!found.empty() && found.is_text()) continue;
    report.error(std::string(field), found.empty()
                                         ? fmt::format("{} is missing", field)
                                         : fmt::format("must be of type string, and is {}",
                                                       shown(*object.if_contains(field))));
    complete = false;
  }
  return complete;
}

void lint_value(const json::Value& value, const Registry& registry, LintReport& report) {
  if (!value.is_object())
    return report.error("", "a manifest is an object with apiVersion and kind");
  const json::Object& object = value.get_object();
  // Files of other sorts lie beside manifests; one that has none of a manifest's marks is not meant
  // as one.
  if (!object.contains("apiVersion") && !object.contains("kind") && !object.contains("metadata"))
    return report.warning("", "no apiVersion, kind or metadata: not a manifest; passed over");
  if (!lint_identity(object, report)) return;
  if (const json::Value* metadata = object.if_contains("metadata");
      metadata != nullptr && !metadata->is_null() && !metadata->is_object())
    return report.error("metadata",
                        fmt::format("must be of type object, and is {}", shown(*metadata)));
  const Gvk gvk = gvk_of(object);
  if (const std::shared_ptr<const Resource> resource = registry.find(gvk))
    return lint_object(object, *resource, report);
  report.warning("kind", fmt::format("{} of {} is not a kind known here; passed over", gvk.kind,
                                     gvk.api_version()));
}

// `path` as the object at `root` names it; nothing when it lies elsewhere.
std::optional<std::string> below(std::string_view root, std::string_view path) {
  if (root.empty()) return std::string(path);
  if (!contains(root, path) || path.size() == root.size()) return std::nullopt;
  return std::string(path.substr(root.size() + (path[root.size()] == '.' ? 1 : 0)));
}

}  // namespace

std::vector<Problem> lint(const yaml::Document& document, const Registry& registry) {
  std::vector<Problem> problems;
  for (const ManifestItem& item : list_items(document)) {
    LintReport report(document, item.path);
    for (const std::string& path : document.duplicates)
      if (auto field = below(item.path, path))
        report.error(std::move(*field), "this key is repeated; the last value wins");
    lint_value(item.value, registry, report);
    problems.insert(problems.end(), report.problems().begin(), report.problems().end());
  }
  return problems;
}

void LintReport::error(std::string field, std::string message) {
  put(std::move(field), Problem::Severity::kError, std::move(message));
}

void LintReport::warning(std::string field, std::string message) {
  put(std::move(field), Problem::Severity::kWarning, std::move(message));
}

void LintReport::add(const Findings& findings) {
  for (const Cause& cause : findings.causes) error(cause.field, cause.message);
}

bool LintReport::is_settled(std::string_view field) const {
  return std::any_of(
      fields_.begin(), fields_.begin() + static_cast<std::ptrdiff_t>(settled_),
      [&](const std::string& known) { return contains(known, field) || contains(field, known); });
}

void LintReport::put(std::string field, Problem::Severity severity, std::string message) {
  if (problems_.size() > kMaxProblems || is_settled(field)) return;
  if (problems_.size() == kMaxProblems) {
    field.clear();
    message = fmt::format("has more problems than these {}; mend them first", kMaxProblems);
  }
  if (severity == Problem::Severity::kError) settle(field);
  if (!root_.empty())
    field = field.empty()            ? root_
            : field.starts_with('[') ? root_ + field
                                     : fmt::format("{}.{}", root_, field);
  const bool said = std::ranges::any_of(problems_, [&](const Problem& problem) {
    return problem.field == field && problem.message == message;
  });
  if (said) return;
  const int line = std::max(document_.positions.find(field).line, document_.line);
  const auto after = std::ranges::upper_bound(problems_, line, {}, &Problem::line);
  problems_.insert(after, {.line = line,
                           .field = std::move(field),
                           .severity = severity,
                           .message = std::move(message)});
}

}  // namespace slipway::api
