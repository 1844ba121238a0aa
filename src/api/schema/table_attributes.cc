#include "api/schema/table_attributes.h"

#include <fmt/format.h>
#include <charconv>

#include "base/text.h"

namespace slipway::api {

namespace {

using text::split;

template <class Number>
bool read_number(std::string_view text, std::optional<Number>& out) {
  Number number = {};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  out = number;
  return true;
}

bool read_list_type(std::string_view text, ListType& out) {
  if (text == "set") out = ListType::kSet;
  if (text == "map") out = ListType::kMap;
  return text == "atomic" || text == "set" || text == "map";
}

bool read_pattern(std::string_view text, std::string& out) {
  auto value = json::read(text);
  if (!value || !value->is_string()) return false;
  out = value->get_string();
  return true;
}

// One limit of a value; false when it is unknown or its value does not parse.
bool read_limit(Schema& schema, std::string_view name, std::string_view text) {
  if (name == "enum") return (schema.enumeration = split(text, '|'), true);
  if (name == "pattern") return read_pattern(text, schema.pattern);
  if (name == "format") return (schema.format = text, true);
  if (name == "min") return read_number(text, schema.minimum);
  if (name == "max") return read_number(text, schema.maximum);
  if (name == "minLength") return read_number(text, schema.min_length);
  if (name == "maxLength") return read_number(text, schema.max_length);
  if (name == "minItems") return read_number(text, schema.min_items);
  if (name == "maxItems") return read_number(text, schema.max_items);
  if (name == "minProperties") return read_number(text, schema.min_properties);
  if (name == "maxProperties") return read_number(text, schema.max_properties);
  if (name == "list") return read_list_type(text, schema.list_type);
  if (name == "keys") return (schema.map_keys = split(text, ','), true);
  if (name == "map")
    return (schema.atomic = text == "atomic", text == "atomic" || text == "granular");
  return false;
}

bool read_patch(std::string_view text, PatchStrategy& patch) {
  for (const std::string& one : split(text, ',')) {
    if (one == "merge")
      patch.merge = true;
    else if (one == "replace")
      patch.replace = true;
    else if (one == "retainKeys")
      patch.retain_keys = true;
    else
      return false;
  }
  return true;
}

bool read_proto(std::string_view text, std::vector<std::uint32_t>& out) {
  for (const std::string& one : split(text, '.')) {
    std::optional<std::uint32_t> number;
    if (!read_number(one, number)) return false;
    out.push_back(*number);
  }
  return true;
}

bool read_flag(Field& field, std::string_view word) {
  if (word == "required") return field.required = true;
  if (word == "omitempty") return field.omit_empty = true;
  if (word == "omitzero") return field.omit_zero = true;
  if (word == "pointer") return field.pointer = true;
  return false;
}

bool read_default(std::string_view text, Field& field) {
  auto value = json::read(text);
  if (!value) return false;
  field.default_value = *std::move(value);
  return true;
}

bool read_attribute(TableAttributes& out, std::string_view word) {
  std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return read_flag(out.field, word);
  std::string_view name = word.substr(0, equals), text = word.substr(equals + 1);
  if (name == "proto") return read_proto(text, out.field.proto);
  if (name == "patch") return read_patch(text, out.field.patch);
  if (name == "key") return (out.field.patch.merge_key = text, true);
  if (name == "default") return read_default(text, out.field);
  for (std::string_view prefix : {"items.", "values."}) {
    if (!name.starts_with(prefix)) continue;
    out.inner_signature += fmt::format(" {}", word);
    return read_limit(out.inner, name.substr(prefix.size()), text);
  }
  out.signature += fmt::format(" {}", word);
  return read_limit(out.limits, name, text);
}

}  // namespace

std::string_view next_word(std::string_view& line) {
  std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string_view::npos) return line = {};
  line.remove_prefix(begin);
  std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

Result<TableAttributes> read_attributes(std::string_view words) {
  TableAttributes out;
  for (std::string_view word = next_word(words); !word.empty(); word = next_word(words)) {
    if (!read_attribute(out, word)) {
      return fail(ErrorCode::kInvalid, fmt::format("\"{}\" is no attribute of a field", word));
    }
  }
  return out;
}

}  // namespace slipway::api
