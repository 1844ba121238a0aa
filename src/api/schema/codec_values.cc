#include "api/schema/codec_values.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace slipway::api::codec {
namespace {

const Schema* formatted_text(SchemaSet& schemas, std::string_view format) {
  return &schemas.add({.shape = Shape::kString, .format = std::string(format)});
}

template <class Integer>
bool read_integer(const json::Value& value, Integer& out) {
  std::int64_t number = 0;
  if (value.is_int64()) {
    number = value.get_int64();
  } else if (value.is_double() && std::trunc(value.get_double()) == value.get_double() &&
             std::abs(value.get_double()) < 9e15) {
    number = static_cast<std::int64_t>(value.get_double());
  } else {
    return false;
  }
  if (number < std::numeric_limits<Integer>::min() || number > std::numeric_limits<Integer>::max())
    return false;
  out = static_cast<Integer>(number);
  return true;
}

bool read_text(const json::Value& value, std::string& out) {
  if (!value.is_string()) return false;
  out = std::string_view(value.get_string());
  return true;
}

}  // namespace

bool parse_integer(std::string_view text, std::int64_t& out) {
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_value(const json::Value& value, std::string& out) { return read_text(value, out); }
json::Value write_value(const std::string& value) { return json::Value(value); }
bool is_zero(const std::string& value) { return value.empty(); }
std::string_view wanted(const std::string*) { return "string"; }
const Schema* value_schema(SchemaSet& schemas, const std::string*) {
  return schemas.scalar(Shape::kString);
}

bool read_value(const json::Value& value, bool& out) {
  if (!value.is_bool()) return false;
  out = value.get_bool();
  return true;
}
json::Value write_value(const bool& value) { return json::Value(value); }
bool is_zero(const bool& value) { return !value; }
std::string_view wanted(const bool*) { return "boolean"; }
const Schema* value_schema(SchemaSet& schemas, const bool*) { return schemas.scalar(Shape::kBool); }

bool read_value(const json::Value& value, std::int32_t& out) { return read_integer(value, out); }
json::Value write_value(const std::int32_t& value) { return json::Value(value); }
bool is_zero(const std::int32_t& value) { return value == 0; }
std::string_view wanted(const std::int32_t*) { return "integer"; }
const Schema* value_schema(SchemaSet& schemas, const std::int32_t*) {
  return schemas.scalar(Shape::kInt32);
}

bool read_value(const json::Value& value, std::int64_t& out) { return read_integer(value, out); }
json::Value write_value(const std::int64_t& value) { return json::Value(value); }
bool is_zero(const std::int64_t& value) { return value == 0; }
std::string_view wanted(const std::int64_t*) { return "integer"; }
const Schema* value_schema(SchemaSet& schemas, const std::int64_t*) {
  return schemas.scalar(Shape::kInt64);
}

bool read_value(const json::Value& value, double& out) {
  if (!value.is_number()) return false;
  out = value.to_number<double>();
  return true;
}
json::Value write_value(const double& value) { return json::Value(value); }
bool is_zero(const double& value) { return value == 0; }
std::string_view wanted(const double*) { return "number"; }
const Schema* value_schema(SchemaSet& schemas, const double*) {
  return schemas.scalar(Shape::kDouble);
}

bool read_value(const json::Value& value, Time& out) {
  if (!value.is_string()) return false;
  const Result<Time> time = parse_time(value.get_string());
  if (time) out = *time;
  return time.has_value();
}
json::Value write_value(const Time& value) { return json::Value(format_time(value)); }
bool is_zero(const Time& value) { return value == Time{}; }
std::string_view wanted(const Time*) { return "date-time"; }
const Schema* value_schema(SchemaSet& schemas, const Time*) { return schemas.scalar(Shape::kTime); }

bool read_value(const json::Value& value, IntOrString& out) {
  out = {};
  out.is_text = value.is_string();
  return out.is_text ? read_text(value, out.text) : read_integer(value, out.number);
}
json::Value write_value(const IntOrString& value) {
  return value.is_text ? json::Value(value.text) : json::Value(value.number);
}
bool is_zero(const IntOrString& value) { return value == IntOrString{}; }
std::string_view wanted(const IntOrString*) { return "integer or string"; }
const Schema* value_schema(SchemaSet& schemas, const IntOrString*) {
  return schemas.scalar(Shape::kIntOrString);
}

bool read_value(const json::Value& value, GoDuration& out) { return read_text(value, out.text); }
json::Value write_value(const GoDuration& value) { return json::Value(value.text); }
bool is_zero(const GoDuration& value) { return value.text.empty(); }
std::string_view wanted(const GoDuration*) { return "string"; }
const Schema* value_schema(SchemaSet& schemas, const GoDuration*) {
  return formatted_text(schemas, kGoDurationFormat);
}

// Kubernetes takes a bare number for a quantity too; it is kept as the text it stands for.
bool read_value(const json::Value& value, QuantityText& out) {
  if (value.is_number()) out.text = json::write(value);
  return value.is_number() || read_text(value, out.text);
}
json::Value write_value(const QuantityText& value) { return json::Value(value.text); }
bool is_zero(const QuantityText& value) { return value.text.empty(); }
std::string_view wanted(const QuantityText*) { return "quantity"; }
const Schema* value_schema(SchemaSet& schemas, const QuantityText*) {
  return schemas.scalar(Shape::kQuantity);
}

const Schema* kept_schema(SchemaSet& schemas, const json::Value*) {
  return schemas.scalar(Shape::kAny);
}
const Schema* kept_schema(SchemaSet& schemas, const FreeForm*) {
  return &schemas.add({.shape = Shape::kObject, .preserve_unknown = true});
}
const Schema* builtin_schema(SchemaSet& schemas, std::string_view name) {
  const Schema* known = schemas.find(name);
  SLIPWAY_ASSERT(known != nullptr);
  return known;
}

}  // namespace slipway::api::codec
