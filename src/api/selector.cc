#include "api/selector.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "api/label_requirement.h"
#include "api/object.h"

namespace slipway::api {

namespace {

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || text.empty() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

const std::string* find(const Labels& labels, std::string_view key) {
  auto at = std::ranges::lower_bound(
      labels, key, {}, [](const auto& label) { return std::string_view(label.first); });
  return at != labels.end() && at->first == key ? &at->second : nullptr;
}

bool holds(const Requirement& requirement, const Labels& labels) {
  const std::string* value = find(labels, requirement.key);
  auto listed = [&] { return std::ranges::binary_search(requirement.values, *value); };
  switch (requirement.op) {
    case Requirement::Op::kEquals:
    case Requirement::Op::kIn:
      return value != nullptr && listed();
    case Requirement::Op::kNotEquals:
    case Requirement::Op::kNotIn:
      return value == nullptr || !listed();
    case Requirement::Op::kExists:
      return value != nullptr;
    case Requirement::Op::kNotExists:
      return value == nullptr;
    case Requirement::Op::kGreater:
    case Requirement::Op::kLess:
      break;
  }
  if (value == nullptr || requirement.values.size() != 1) return false;
  auto left = number_in(*value);
  auto right = number_in(requirement.values.front());
  if (!left || !right) return false;
  return requirement.op == Requirement::Op::kGreater ? *left > *right : *left < *right;
}

std::string to_string(const Requirement& requirement) {
  std::string list = fmt::format("{}", fmt::join(requirement.values, ","));
  switch (requirement.op) {
    case Requirement::Op::kEquals:
      return requirement.key + "=" + list;
    case Requirement::Op::kNotEquals:
      return requirement.key + "!=" + list;
    case Requirement::Op::kIn:
      return requirement.key + " in (" + list + ")";
    case Requirement::Op::kNotIn:
      return requirement.key + " notin (" + list + ")";
    case Requirement::Op::kExists:
      return requirement.key;
    case Requirement::Op::kNotExists:
      return "!" + requirement.key;
    case Requirement::Op::kGreater:
      return requirement.key + ">" + list;
    case Requirement::Op::kLess:
      return requirement.key + "<" + list;
  }
  return {};
}

Result<Requirement> read_expression(const json::Value& expression) {
  std::string_view op = json::string_at(expression, {"operator"});
  Requirement requirement{.key = std::string(json::string_at(expression, {"key"}))};
  if (op == "In")
    requirement.op = Requirement::Op::kIn;
  else if (op == "NotIn")
    requirement.op = Requirement::Op::kNotIn;
  else if (op == "Exists")
    requirement.op = Requirement::Op::kExists;
  else if (op == "DoesNotExist")
    requirement.op = Requirement::Op::kNotExists;
  else
    return fail(ErrorCode::kInvalid,
                fmt::format("\"{}\" is not a valid label selector operator", op));
  if (const json::Value* values = json::at(expression, {"values"});
      values != nullptr && values->is_array())
    for (const json::Value& value : values->get_array())
      if (value.is_string()) requirement.values.emplace_back(value.get_string());
  SLIPWAY_TRY(check_requirement(requirement));
  std::ranges::sort(requirement.values);
  return requirement;
}

}  // namespace

bool LabelSelector::matches(const Labels& labels) const {
  return !nothing && std::ranges::all_of(
                         requirements, [&](const Requirement& one) { return holds(one, labels); });
}

Result<LabelSelector> read_label_selector(const json::Value& selector) {
  LabelSelector out;
  if (selector.is_null()) {
    out.nothing = true;
    return out;
  }
  if (!selector.is_object())
    return fail(ErrorCode::kInvalid,
                "a label selector is an object with matchLabels and matchExpressions");
  if (const json::Value* labels = json::at(selector, {"matchLabels"});
      labels != nullptr && labels->is_object()) {
    for (const auto& [key, value] : labels->get_object()) {
      Requirement requirement{.key = std::string(key), .op = Requirement::Op::kEquals};
      requirement.values.emplace_back(value.is_string() ? std::string_view(value.get_string())
                                                        : std::string_view());
      SLIPWAY_TRY(check_requirement(requirement));
      out.requirements.push_back(std::move(requirement));
    }
  }
  if (const json::Value* all = json::at(selector, {"matchExpressions"});
      all != nullptr && all->is_array()) {
    for (const json::Value& expression : all->get_array()) {
      auto requirement = read_expression(expression);
      if (!requirement) return std::unexpected(std::move(requirement).error());
      out.requirements.push_back(std::move(*requirement));
    }
  }
  sort_by_key(out);
  return out;
}

std::string to_string(const LabelSelector& selector) {
  std::string out;
  for (const Requirement& requirement : selector.requirements) {
    if (!out.empty()) out += ',';
    out += to_string(requirement);
  }
  return out;
}

Labels labels_of(const json::Object& object) {
  Labels labels;
  const json::Object* metadata = metadata_of(object);
  const json::Value* found = metadata == nullptr ? nullptr : metadata->if_contains("labels");
  if (found == nullptr || !found->is_object()) return labels;
  for (const auto& [key, value] : found->get_object())
    if (value.is_string()) labels.emplace_back(key, value.get_string());
  std::ranges::sort(labels);
  return labels;
}

}  // namespace slipway::api
