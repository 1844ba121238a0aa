#include "api/apply/path_element.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "api/wire/go_format.h"

namespace slipway::api {

namespace {

std::strong_ordering order_of(double a, double b) {
  return a < b   ? std::strong_ordering::less
         : a > b ? std::strong_ordering::greater
                 : std::strong_ordering::equal;
}

int rank(const json::Value& value) {
  switch (value.kind()) {
    case boost::json::kind::int64:
    case boost::json::kind::uint64:
    case boost::json::kind::double_:
      return 0;
    case boost::json::kind::string:
      return 1;
    case boost::json::kind::bool_:
      return 2;
    case boost::json::kind::array:
      return 3;
    case boost::json::kind::object:
      return 4;
    case boost::json::kind::null:
      break;
  }
  return 5;
}

std::strong_ordering order_of(const json::Value& a, const json::Value& b);

std::strong_ordering order_of_members(const json::Object& a, const json::Object& b) {
  auto left = a.begin();
  auto right = b.begin();
  for (; left != a.end() && right != b.end(); ++left, ++right) {
    if (auto order = std::string_view(left->key()) <=> std::string_view(right->key()); order != 0)
      return order;
    if (auto order = order_of(left->value(), right->value()); order != 0) return order;
  }
  return a.size() <=> b.size();
}

std::strong_ordering order_of(const json::Value& a, const json::Value& b) {
  if (rank(a) != rank(b)) return rank(a) <=> rank(b);
  switch (rank(a)) {
    case 0:
      if (a.is_int64() && b.is_int64()) return a.get_int64() <=> b.get_int64();
      return order_of(a.to_number<double>(), b.to_number<double>());
    case 1:
      return std::string_view(a.get_string()) <=> std::string_view(b.get_string());
    case 2:
      return a.get_bool() <=> b.get_bool();
    case 3: {
      const json::Array& left = a.get_array();
      const json::Array& right = b.get_array();
      for (std::size_t i = 0; i < std::min(left.size(), right.size()); ++i)
        if (auto order = order_of(left[i], right[i]); order != 0) return order;
      return left.size() <=> right.size();
    }
    case 4:
      return order_of_members(a.get_object(), b.get_object());
    default:
      return std::strong_ordering::equal;
  }
}

// Most keys differ inside one plain string, `{"name":"a"}` and `{"name":"b"}`: then the first byte
// that differs decides, with the closing quote before all others, and nothing needs to be parsed.
// False: parse.
bool differ_inside_a_plain_string(std::string_view a, std::string_view b, std::size_t at) {
  bool inside = false;
  for (std::size_t i = 0; i < at; ++i) {
    if (a[i] == '\\') return false;
    if (a[i] == '"') inside = !inside;
  }
  return inside && at < a.size() && at < b.size() && a[at] != '\\' && b[at] != '\\';
}

std::strong_ordering order_of_json(std::string_view a, std::string_view b) {
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  if (at == a.size() && at == b.size()) return std::strong_ordering::equal;
  if (differ_inside_a_plain_string(a, b, at)) {
    if (a[at] == '"') return std::strong_ordering::less;
    if (b[at] == '"') return std::strong_ordering::greater;
    return static_cast<unsigned char>(a[at]) <=> static_cast<unsigned char>(b[at]);
  }
  auto left = json::read(a);
  auto right = json::read(b);
  if (!left || !right) return a <=> b;
  auto order = order_of(*left, *right);
  return order != 0 ? order : a <=> b;
}

std::string canonical(const json::Value& value) {
  return json::write(value, {.escape_html = true, .sort_keys = true});
}

// `{"name":"web"}` as almost all keys are; it is canonical as it stands.
bool is_plain_key(std::string_view text) {
  if (!text.starts_with("{\"") || !text.ends_with("\"}")) return false;
  std::string_view inner = text.substr(2, text.size() - 4);
  std::size_t quotes = 0;
  for (char c : inner) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e || c == '\\' ||
        c == '<' || c == '>' || c == '&')
      return false;
    if (c == '"') ++quotes;
  }
  return quotes == 2 && inner.find("\":\"") != std::string_view::npos;
}

Result<PathElement> parse_key(std::string_view text) {
  if (is_plain_key(text)) return PathElement{PathElement::Kind::kKey, std::string(text)};
  auto value = json::read(text);
  if (!value) return std::unexpected(std::move(value).error());
  if (!value->is_object())
    return fail(ErrorCode::kInvalid,
                fmt::format("\"k:{}\" is no key; write k:{{\"name\":\"value\"}}", text));
  return PathElement{PathElement::Kind::kKey, canonical(*value)};
}

}  // namespace

PathElement PathElement::value(const json::Value& item) { return {Kind::kValue, canonical(item)}; }

std::strong_ordering PathElement::operator<=>(const PathElement& other) const {
  if (kind != other.kind) return kind <=> other.kind;
  if (kind == Kind::kField) return text <=> other.text;
  return order_of_json(text, other.text);
}

std::string to_string(const PathElement& element) {
  std::string out;
  out.reserve(element.text.size() + 2);
  out.push_back("fkvi"[static_cast<unsigned>(element.kind)]);
  out.push_back(':');
  return out.append(element.text);
}

Result<PathElement> parse_path_element(std::string_view text) {
  if (text.size() < 2) return fail(ErrorCode::kInvalid, "key must be 2 characters long:");
  if (text[1] != ':') return fail(ErrorCode::kInvalid, fmt::format("missing colon: {}", text));
  std::string_view rest = text.substr(2);
  switch (text[0]) {
    case 'f':
      return PathElement::field(rest);
    case 'k':
      return parse_key(rest);
    case 'v': {
      auto value = json::read(rest);
      if (!value) return std::unexpected(std::move(value).error());
      return PathElement::value(*value);
    }
    case 'i': {
      long index = 0;
      auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), index);
      if (error != std::errc{} || end != rest.data() + rest.size())
        return fail(ErrorCode::kInvalid, fmt::format("\"i:{}\" is no index; write i:0", rest));
      return PathElement{PathElement::Kind::kIndex, std::to_string(index)};
    }
    default:
      return fail(ErrorCode::kNotFound, fmt::format("unknown path element \"{}\"", text));
  }
}

std::string describe(const PathElement& element) {
  switch (element.kind) {
    case PathElement::Kind::kField:
      return "." + element.text;
    case PathElement::Kind::kIndex:
      return "[" + element.text + "]";
    case PathElement::Kind::kValue: {
      auto value = json::read(element.text);
      return "[=" + (value ? go_key(*value) : element.text) + "]";
    }
    case PathElement::Kind::kKey:
      break;
  }
  std::string out = "[";
  if (auto key = json::read(element.text); key && key->is_object()) {
    for (const auto& [name, value] : key->get_object()) {
      if (out.size() > 1) out += ',';
      out += fmt::format("{}={}", std::string_view(name), go_key(value));
    }
  }
  return out + "]";
}

}  // namespace slipway::api
