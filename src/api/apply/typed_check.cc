#include "api/apply/typed_check.h"

#include <fmt/format.h>

#include <set>

#include "api/apply/typed_value.h"
#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

struct Problem {
  std::string path;
  std::string message;
};
using Problems = std::vector<Problem>;

enum class Scalar { kNumeric, kString, kBoolean, kUntyped };

Scalar scalar_of(const Schema& schema) {
  switch (schema.shape) {
    case Shape::kInt32:
    case Shape::kInt64:
    case Shape::kDouble:
      return Scalar::kNumeric;
    case Shape::kBool:
      return Scalar::kBoolean;
    case Shape::kString:
      return schema.format.empty() || schema.format == "byte" ? Scalar::kString : Scalar::kUntyped;
    case Shape::kBytes:
      return Scalar::kString;
    default:
      return Scalar::kUntyped;
  }
}

std::string scalar_problem(const json::Value& value, const Schema& schema) {
  if (value.is_null()) return {};
  switch (scalar_of(schema)) {
    case Scalar::kNumeric:
      if (!value.is_number())
        return fmt::format("expected numeric (int or float), got {}", go_type(value));
      return {};
    case Scalar::kString:
      if (!value.is_string())
        return fmt::format("expected string, got &value.valueUnstructured{{Value:{}}}",
                           go_syntax(value));
      return {};
    case Scalar::kBoolean:
      if (!value.is_bool()) return fmt::format("expected boolean, got &{{{}}}", go_plain(value));
      return {};
    case Scalar::kUntyped:
      if (value.is_object() || value.is_array())
        return fmt::format("expected any scalar, got &{{{}}}", go_plain(value));
      return {};
  }
  return {};
}

void check(const json::Value& value, const Schema* schema, const std::string& path,
           Problems& problems);

void check_list(const json::Array& array, const Schema& list, const std::string& path,
                Problems& problems) {
  std::set<PathElement> seen;
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (list.list_type == ListType::kAtomic) {
      check(array[i], list.element, fmt::format("{}[{}]", path, i), problems);
      continue;
    }
    auto element = element_of(list, array[i]);
    if (!element) {
      problems.push_back({path, fmt::format("element {}: {}", i, element.error().message)});
      return;
    }
    std::string step = describe(*element);
    if (!seen.insert(std::move(*element)).second)
      problems.push_back({path, fmt::format("duplicate entries for key {}", step)});
    check(array[i], list.element, path + step, problems);
  }
}

void check_map(const json::Object& object, const Schema& schema, const std::string& path,
               Problems& problems) {
  for (const auto& [key, value] : object) {
    std::string step = fmt::format("{}.{}", path, std::string_view(key));
    bool closed =
        schema.shape == Shape::kObject && !schema.preserve_unknown && !schema.fields.empty();
    if (closed && schema.find(key) == nullptr) {
      problems.push_back({step, "field not declared in schema"});
      return;
    }
    check(value, member_type(&schema, key), step, problems);
  }
}

void check(const json::Value& value, const Schema* schema, const std::string& path,
           Problems& problems) {
  if (is_undescribed(schema)) return;
  switch (form_of(schema, &value)) {
    case Form::kScalar:
      if (std::string problem = scalar_problem(value, *schema); !problem.empty())
        problems.push_back({path, std::move(problem)});
      return;
    case Form::kList:
      if (value.is_array())
        check_list(value.get_array(), *schema, path, problems);
      else if (!value.is_null())
        problems.push_back({path, fmt::format("expected list, got &{{{}}}", go_plain(value))});
      return;
    case Form::kMap:
      if (value.is_object())
        check_map(value.get_object(), *schema, path, problems);
      else if (!value.is_null())
        problems.push_back({path, fmt::format("expected map, got &{{{}}}", go_plain(value))});
      return;
  }
}

}  // namespace

Result<> check_config(const json::Object& config, const Schema* schema) {
  Problems problems;
  if (!is_undescribed(schema)) check_map(config, *schema, "", problems);
  if (problems.empty()) return {};
  auto text = [](const Problem& problem) {
    return problem.path.empty() ? problem.message
                                : fmt::format("{}: {}", problem.path, problem.message);
  };
  if (problems.size() == 1) return fail(ErrorCode::kInvalid, text(problems.front()));
  std::string all = "errors:";
  for (const Problem& problem : problems) all += "\n  " + text(problem);
  return fail(ErrorCode::kInvalid, std::move(all));
}

}  // namespace slipway::api
