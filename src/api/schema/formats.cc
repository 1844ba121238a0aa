#include "api/schema/formats.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "base/base64.h"
#include "base/instant.h"
#include "base/time.h"

namespace slipway::api {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

bool is_address(std::string_view text, int family) {
  unsigned char bytes[16];
  return text.find('\0') == std::string_view::npos &&
         inet_pton(family, std::string(text).c_str(), bytes) == 1;
}

bool is_cidr(std::string_view text) {
  std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  std::string_view address = text.substr(0, slash), length = text.substr(slash + 1);
  int bits = -1;
  auto [end, error] = std::from_chars(length.data(), length.data() + length.size(), bits);
  if (error != std::errc{} || end != length.data() + length.size() || bits < 0) return false;
  return (is_address(address, AF_INET) && bits <= 32) ||
         (is_address(address, AF_INET6) && bits <= 128);
}

bool is_date(std::string_view text) {
  return text.size() == 10 && parse_instant(std::string(text) + "T00:00:00Z").has_value();
}

// 8-4-4-4-12 hexadecimal digits; the dashes may be missing.
bool is_uuid(std::string_view text) {
  std::size_t at = 0;
  for (std::size_t group : {8u, 4u, 4u, 4u, 12u}) {
    if (at > 0 && at < text.size() && text[at] == '-') ++at;
    if (text.size() < at + group || !std::ranges::all_of(text.substr(at, group), is_hex))
      return false;
    at += group;
  }
  return at == text.size();
}

bool is_uri(std::string_view text) {
  if (text.starts_with('/')) return true;
  std::size_t colon = text.find(':');
  if (colon == 0 || colon == std::string_view::npos || colon + 1 == text.size() ||
      !is_letter(text.front()))
    return false;
  auto in_scheme = [](char c) {
    return is_letter(c) || is_digit(c) || c == '+' || c == '-' || c == '.';
  };
  auto visible = [](char c) { return c > ' ' && c != 0x7f; };
  return std::ranges::all_of(text.substr(0, colon), in_scheme) &&
         std::ranges::all_of(text, visible);
}

bool is_email(std::string_view text) {
  std::size_t at = text.rfind('@');
  return at != std::string_view::npos && at > 0 && at + 1 < text.size() &&
         text.find(' ') == std::string_view::npos;
}

bool is_hostname(std::string_view text) {
  if (text.empty() || text.size() > 255) return false;
  while (!text.empty()) {
    std::string_view label = text.substr(0, text.find('.'));
    auto fits = [](char c) {
      return is_letter(c) || is_digit(c) || c == '-' || static_cast<signed char>(c) < 0;
    };
    if (label.empty() || label.size() > 63 || label.front() == '-' || label.back() == '-')
      return false;
    if (!std::ranges::all_of(label, fits)) return false;
    text.remove_prefix(std::min(text.size(), label.size() + 1));
  }
  return true;
}

}  // namespace

bool has_format(std::string_view text, std::string_view format) {
  if (format == "date-time" || format == "datetime") return parse_instant(text).has_value();
  if (format == "date") return is_date(text);
  if (format == "duration") return parse_duration(text).has_value();
  if (format == "byte") return base64_decode(text).has_value();
  if (format == "ipv4") return is_address(text, AF_INET);
  if (format == "ipv6") return is_address(text, AF_INET6);
  if (format == "cidr") return is_cidr(text);
  if (format == "uuid") return is_uuid(text);
  if (format == "uri") return is_uri(text);
  if (format == "email") return is_email(text);
  if (format == "hostname") return is_hostname(text);
  return true;
}

bool is_known_format(std::string_view format) {
  constexpr std::string_view kKnown[] = {
      "bsonobjectid", "byte",   "cidr",          "creditcard",     "date",  "date-time",
      "datetime",     "double", "duration",      "email",          "float", "hexcolor",
      "hostname",     "int32",  "int64",         "ipv4",           "ipv6",  "isbn",
      "isbn10",       "isbn13", "k8s-long-name", "k8s-short-name", "mac",   "password",
      "rgbcolor",     "ssn",    "uri",           "uuid",           "uuid3", "uuid4",
      "uuid5"};
  return std::ranges::find(kKnown, format) != std::end(kKnown);
}

}  // namespace slipway::api
