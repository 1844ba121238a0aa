#include <fmt/format.h>
#include <algorithm>

#include "api/rules/validate.h"

namespace slipway::api {

namespace {

std::string quoted(std::string_view text) {
  std::string out;
  json::append_string(out, text);
  return out;
}

// Go prints the offending value with %q when it is a string, with %v when it is another scalar,
// else as JSON.
std::string shown(const json::Value& value) { return json::write(value, {.sort_keys = true}); }

std::string with_detail(std::string message, const std::string& detail) {
  return detail.empty() ? message : fmt::format("{}: {}", message, detail);
}

}  // namespace

void Findings::add(Cause cause) {
  if (is_full()) return;
  bytes += cause.message.size() + cause.field.size();
  causes.push_back(std::move(cause));
}

void Findings::required(std::string field, std::string detail) {
  add({"FieldValueRequired", with_detail("Required value", detail), std::move(field)});
}

void Findings::invalid(std::string field, const json::Value& value, std::string detail) {
  if (is_full()) return;  // the value may be large
  add({"FieldValueInvalid", with_detail("Invalid value: " + shown(value), detail),
       std::move(field)});
}

void Findings::not_supported(std::string field, const json::Value& value,
                             const std::vector<std::string>& allowed) {
  if (is_full()) return;  // the value may be large
  std::string list;
  for (const std::string& one : allowed)
    list += (list.empty() ? "supported values: " : ", ") + quoted(one);
  add({"FieldValueNotSupported", with_detail("Unsupported value: " + shown(value), list),
       std::move(field)});
}

void Findings::duplicate(std::string field, const json::Value& value) {
  if (is_full()) return;  // the value may be large
  add({"FieldValueDuplicate", "Duplicate value: " + shown(value), std::move(field)});
}

void Findings::forbidden(std::string field, std::string detail) {
  add({"FieldValueForbidden", with_detail("Forbidden", detail), std::move(field)});
}

void Findings::too_long(std::string field, std::size_t limit) {
  add({"FieldValueTooLong",
       fmt::format("Too long: may not be more than {} byte{}", limit, limit == 1 ? "" : "s"),
       std::move(field)});
}

void Findings::too_many(std::string field, std::size_t count, std::size_t limit) {
  add({"FieldValueTooMany",
       fmt::format("Too many: {}: must have at most {} item{}", count, limit,
                   limit == 1 ? "" : "s"),
       std::move(field)});
}

void Findings::wrong_type(std::string field, const json::Value& value, std::string_view wanted) {
  std::string_view got = type_word(value);
  add({"FieldValueTypeInvalid",
       fmt::format("Invalid value: \"{1}\": {0} in body must be of type {2}: \"{1}\"", field, got,
                   wanted),
       std::move(field)});
}

std::string_view type_word(const json::Value& value) {
  switch (value.kind()) {
    case boost::json::kind::null:
      return "null";
    case boost::json::kind::bool_:
      return "boolean";
    case boost::json::kind::int64:
    case boost::json::kind::uint64:
      return "integer";
    case boost::json::kind::double_:
      return "number";
    case boost::json::kind::string:
      return "string";
    case boost::json::kind::array:
      return "array";
    case boost::json::kind::object:
      return "object";
  }
  return "null";
}

Error Findings::error(const Gvk& gvk, std::string_view name) const {
  std::vector<std::string> texts;
  for (const Cause& cause : causes) {
    std::string text =
        fmt::format("{}: {}", cause.field.empty() ? "<nil>" : cause.field, cause.message);
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  }
  if (is_full()) texts.emplace_back("and more");
  std::string list = fmt::format("{}", fmt::join(texts, ", "));
  if (texts.size() > 1) list = fmt::format("[{}]", list);
  std::string kind = gvk.group.empty() ? gvk.kind : fmt::format("{}.{}", gvk.kind, gvk.group);
  return {.code = ErrorCode::kInvalid,
          .message = fmt::format("{} {} is invalid: {}", kind, quoted(name), list),
          .causes = causes};
}

}  // namespace slipway::api
