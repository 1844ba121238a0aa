#include <fmt/format.h>
#include <algorithm>
#include <set>

#include "api/rules/crd_parts.h"
#include "api/rules/members.h"

namespace slipway::api {

namespace {

constexpr std::size_t kMaxDeprecationWarning = 256;
constexpr std::size_t kMaxSelectableFields = 8;

// "Simple" is upstream's word; columns may have filters and indexes in their paths.
bool is_simple_path(const std::string& at, std::string_view path, Findings& findings) {
  if (path.starts_with('.')) return true;
  findings.invalid(at, json::Value(path), "must be a simple json path starting with .");
  return false;
}

void check_column(const json::Object& column, const std::string& at, Findings& findings) {
  constexpr std::string_view kTypes[] = {"boolean", "date", "integer", "number", "string"};
  constexpr std::string_view kFormats[] = {"byte",  "date",  "date-time", "double",
                                           "float", "int32", "int64",     "password"};
  std::string_view type = text_in(column, "type"), format = text_in(column, "format"),
                   path = text_in(column, "jsonPath");
  std::string types = fmt::format("must be one of {}", fmt::join(kTypes, ","));
  if (text_in(column, "name").empty()) findings.required(at + ".name");
  if (type.empty()) {
    findings.required(at + ".type", types);
  } else if (std::ranges::find(kTypes, type) == std::end(kTypes)) {
    findings.invalid(at + ".type", json::Value(type), types);
  }
  if (!format.empty() && std::ranges::find(kFormats, format) == std::end(kFormats)) {
    findings.invalid(at + ".format", json::Value(format),
                     fmt::format("must be one of {}", fmt::join(kFormats, ",")));
  }
  if (path.empty())
    findings.required(at + ".JSONPath");
  else
    is_simple_path(at + ".JSONPath", path, findings);
}

void check_columns(const json::Object& version, const std::string& path, Findings& findings) {
  const json::Array* columns = array_in(version, "additionalPrinterColumns");
  for (std::size_t i = 0; columns != nullptr && i < columns->size(); ++i) {
    if (!(*columns)[i].is_object()) continue;
    check_column((*columns)[i].get_object(),
                 fmt::format("{}.additionalPrinterColumns[{}]", path, i), findings);
  }
}

void check_scale_paths(const json::Object& version, const std::string& path, Findings& findings) {
  const json::Object* subresources = object_in(version, "subresources");
  const json::Object* scale = subresources == nullptr ? nullptr : object_in(*subresources, "scale");
  if (scale == nullptr) return;
  auto check_one = [&](std::string_view key, std::string_view parent) {
    std::string at = fmt::format("{}.subresources.scale.{}", path, key);
    std::string_view given = text_in(*scale, key);
    if (given.empty()) return findings.required(at);
    if (is_simple_path(at, given, findings) && !given.starts_with(fmt::format("{}.", parent)))
      findings.invalid(at, json::Value(given),
                       fmt::format("should be a json path under {}", parent));
  };
  check_one("specReplicasPath", ".spec");
  check_one("statusReplicasPath", ".status");
  std::string_view selector = text_in(*scale, "labelSelectorPath");
  std::string at = path + ".subresources.scale.labelSelectorPath";
  if (selector.empty() || !is_simple_path(at, selector, findings)) return;
  if (!selector.starts_with(".spec.") && !selector.starts_with(".status.")) {
    findings.invalid(at, json::Value(selector),
                     "should be a json path under either .spec or .status");
  }
}

// The schema that a path of names leads to, or what is wrong with the path.
struct Found {
  const json::Object* schema = nullptr;
  std::string problem = {};
};
Found follow(std::string_view path, const json::Object& root) {
  Found found{.schema = &root};
  while (!path.empty()) {
    if (path.front() == '[') return {nullptr, "array notation is not allowed"};
    if (path.front() != '.') {
      return {nullptr, fmt::format("expected [ or . but got: {}",
                                   path.substr(0, path.find_first_of(".[]", 1)))};
    }
    path.remove_prefix(1);
    if (path.empty()) return {nullptr, "unexpected end of JSON path"};
    std::string_view name = path.substr(0, path.find_first_of(".[]"));
    path.remove_prefix(name.size());
    const json::Object* properties = object_in(*found.schema, "properties");
    const json::Object* next = properties == nullptr
                                   ? object_in(*found.schema, "additionalProperties")
                                   : object_in(*properties, name);
    if (next == nullptr) return {nullptr, "does not refer to a valid field"};
    found.schema = next;
  }
  return found;
}

void check_selectable(const json::Object& version, const json::Object& schema,
                      const std::string& path, Findings& findings) {
  const json::Array* fields = array_in(version, "selectableFields");
  std::set<std::string_view> seen;
  for (std::size_t i = 0; fields != nullptr && i < fields->size(); ++i) {
    if (!(*fields)[i].is_object()) continue;
    const std::string at = fmt::format("{}.selectableFields[{}].jsonPath", path, i);
    std::string_view given = text_in((*fields)[i].get_object(), "jsonPath");
    if (given.empty()) {
      findings.required(at);
      continue;
    }
    Found found = follow(given, schema);
    auto refuse = [&](std::string why) {
      findings.invalid(at, json::Value(given), std::move(why));
    };
    if (found.schema == nullptr) {
      refuse("is an invalid path: " + found.problem);
      continue;
    }
    if (given == ".metadata" || given.starts_with(".metadata."))
      refuse("must not point to fields in metadata");
    std::string_view type = text_in(*found.schema, "type");
    if (type != "string" && type != "boolean" && type != "integer") {
      refuse(
          "must point to a field of type string, boolean or integer. Enum string fields and "
          "strings with formats are allowed.");
    }
    if (!seen.insert(given).second) findings.duplicate(at, json::Value(given));
  }
  if (seen.size() > kMaxSelectableFields)
    findings.too_many(path + ".selectableFields", seen.size(), kMaxSelectableFields);
}

}  // namespace

// The words of a Warning header: one line, and not a long one.
void check_deprecation(const json::Object& version, const std::string& path, Findings& findings) {
  const json::Value* given = version.if_contains("deprecationWarning");
  if (given == nullptr || !given->is_string()) return;
  const std::string_view text = given->get_string();
  auto refuse = [&](std::string detail) {
    findings.invalid(path + ".deprecationWarning", *given, std::move(detail));
  };
  if (!flag_in(version, "deprecated")) return refuse("can only be set for deprecated versions");
  if (text.size() > kMaxDeprecationWarning)
    refuse(fmt::format("must be <= {} characters long", kMaxDeprecationWarning));
  if (text.empty()) refuse("must not be an empty string");
  const auto control = std::ranges::find_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (control != text.end())
    refuse(
        fmt::format("must only contain printable UTF-8 characters; non-printable character "
                    "found at index {}",
                    control - text.begin()));
}

void check_version_parts(const json::Object& version, const json::Object* schema,
                         const std::string& path, Findings& findings) {
  check_scale_paths(version, path, findings);
  check_columns(version, path, findings);
  if (schema != nullptr) check_selectable(version, *schema, path, findings);
}

}  // namespace slipway::api
