#include "api/wire/go_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace slipway::api {

namespace {

constexpr int kFirstExponent = 6;  // Go prints 100000 but 1e+06

// As %v and %#v print floats: the shortest digits that read back the same.
std::string go_float(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number < 0 ? "-Inf" : "+Inf";
  char digits[64];
  auto [end, error] =
      std::to_chars(digits, digits + sizeof digits, number, std::chars_format::scientific);
  SLIPWAY_ASSERT(error == std::errc{});
  std::string text(digits, end);
  int exponent = 0;
  std::size_t e = text.find('e');
  std::from_chars(text.data() + e + (text[e + 1] == '+' ? 2 : 1), text.data() + text.size(),
                  exponent);
  if (number == 0 || (exponent >= -4 && exponent < kFirstExponent)) {
    char* plain_end =
        std::to_chars(digits, digits + sizeof digits, number, std::chars_format::fixed).ptr;
    return std::string(digits, plain_end);
  }
  return text;
}

std::vector<const json::Object::value_type*> sorted_members(const json::Object& object) {
  std::vector<const json::Object::value_type*> members;
  members.reserve(object.size());
  for (const auto& member : object) members.push_back(&member);
  std::ranges::sort(members, {},
                    [](const auto* member) { return std::string_view(member->key()); });
  return members;
}

}  // namespace

std::string go_quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
          out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
          out += c;
    }
  }
  return out + '"';
}

std::string go_plain(const json::Value& value) {
  switch (value.kind()) {
    case boost::json::kind::null:
      return "<nil>";
    case boost::json::kind::bool_:
      return value.get_bool() ? "true" : "false";
    case boost::json::kind::int64:
      return std::to_string(value.get_int64());
    case boost::json::kind::uint64:
      return std::to_string(value.get_uint64());
    case boost::json::kind::double_:
      return go_float(value.get_double());
    case boost::json::kind::string:
      return std::string(value.get_string());
    case boost::json::kind::array: {
      std::string out = "[";
      for (const json::Value& item : value.get_array()) {
        if (out.size() > 1) out += ' ';
        out += go_plain(item);
      }
      return out + "]";
    }
    case boost::json::kind::object:
      break;
  }
  std::string out = "map[";
  for (const auto* member : sorted_members(value.get_object())) {
    if (out.size() > 4) out += ' ';
    out += fmt::format("{}:{}", std::string_view(member->key()), go_plain(member->value()));
  }
  return out + "]";
}

std::string go_syntax(const json::Value& value) {
  if (value.is_null()) return "interface {}(nil)";
  if (value.is_string()) return go_quoted(value.get_string());
  if (value.is_array()) {
    std::string out = "[]interface {}{";
    bool first = true;
    for (const json::Value& item : value.get_array()) {
      if (!std::exchange(first, false)) out += ", ";
      out += go_syntax(item);
    }
    return out + "}";
  }
  if (!value.is_object()) return go_plain(value);
  std::string out = "map[string]interface {}{";
  bool first = true;
  for (const auto* member : sorted_members(value.get_object())) {
    if (!std::exchange(first, false)) out += ", ";
    out += fmt::format("{}:{}", go_quoted(member->key()), go_syntax(member->value()));
  }
  return out + "}";
}

std::string_view go_type(const json::Value& value) {
  switch (value.kind()) {
    case boost::json::kind::null:
      return "<nil>";
    case boost::json::kind::bool_:
      return "bool";
    case boost::json::kind::int64:
    case boost::json::kind::uint64:
      return "int64";
    case boost::json::kind::double_:
      return "float64";
    case boost::json::kind::string:
      return "string";
    case boost::json::kind::array:
      return "[]interface {}";
    case boost::json::kind::object:
      return "map[string]interface {}";
  }
  return "";
}

std::string_view json_type(const json::Value& value) {
  switch (value.kind()) {
    case boost::json::kind::null:
      return "null";
    case boost::json::kind::bool_:
      return "bool";
    case boost::json::kind::string:
      return "string";
    case boost::json::kind::array:
      return "array";
    case boost::json::kind::object:
      return "object";
    default:
      return "number";
  }
}

std::string go_key(const json::Value& value) {
  if (value.is_null()) return "null";
  if (value.is_string()) return go_quoted(value.get_string());
  std::string out;
  if (value.is_array()) {
    for (const json::Value& item : value.get_array())
      out += (out.empty() ? "[" : ",") + go_key(item);
    return (out.empty() ? "[" : out) + "]";
  }
  if (!value.is_object()) return go_plain(value);
  for (const auto* member : sorted_members(value.get_object()))
    out += fmt::format("{}={}", std::string_view(member->key()), go_key(member->value()));
  return out;
}

}  // namespace slipway::api
