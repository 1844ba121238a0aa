#include "api/rules/place.h"

#include <fmt/format.h>

#include <algorithm>

namespace slipway::api {

namespace {

constexpr std::size_t kMaxPortName = 15;
constexpr std::size_t kMaxConfigKey = 253;

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_void(const json::Value& value) {
  if (value.is_string()) return value.get_string().empty();
  if (value.is_array()) return value.get_array().empty();
  if (!value.is_object()) return value.is_null();
  return std::ranges::all_of(value.get_object(),
                             [](const auto& member) { return is_void(member.value()); });
}

// Every member of `a` that says something says the same in `b`.
bool is_part_of(const json::Object& a, const json::Object& b) {
  return std::ranges::all_of(a, [&](const auto& member) {
    const json::Value* other = b.if_contains(member.key());
    return other == nullptr ? is_void(member.value()) : same_when_stored(member.value(), *other);
  });
}

}  // namespace

bool same_when_stored(const json::Value& a, const json::Value& b) {
  if (is_void(a) || is_void(b)) return is_void(a) && is_void(b);
  if (a.is_object() && b.is_object())
    return is_part_of(a.get_object(), b.get_object()) && is_part_of(b.get_object(), a.get_object());
  if (!a.is_array() || !b.is_array()) return json::same(a, b);
  return std::ranges::equal(a.get_array(), b.get_array(), same_when_stored);
}

Place Place::operator[](std::string_view field) const {
  const json::Value* inner =
      present() && value_->is_object() ? value_->get_object().if_contains(field) : nullptr;
  return {inner, path_.empty() ? std::string(field) : fmt::format("{}.{}", path_, field)};
}

Place Place::key(std::string_view key) const {
  const json::Value* inner =
      present() && value_->is_object() ? value_->get_object().if_contains(key) : nullptr;
  return {inner, fmt::format("{}[{}]", path_, key)};
}

std::vector<Place> Place::items() const {
  std::vector<Place> result;
  if (!present() || !value_->is_array()) return result;
  for (const json::Value& item : value_->get_array())
    result.emplace_back(&item, fmt::format("{}[{}]", path_, result.size()));
  return result;
}

std::vector<std::string_view> Place::keys() const {
  std::vector<std::string_view> result;
  if (!present() || !value_->is_object()) return result;
  for (const auto& [name, unused] : value_->get_object()) result.push_back(name);
  return result;
}

bool Place::empty() const {
  if (!present()) return true;
  if (value_->is_string()) return value_->get_string().empty();
  return (value_->is_array() || value_->is_object()) && size() == 0;
}

std::string_view Place::text() const {
  return is_text() ? std::string_view(value_->get_string()) : std::string_view();
}

std::int64_t Place::integer(std::int64_t otherwise) const {
  return present() && value_->is_int64() ? value_->get_int64() : otherwise;
}

std::size_t Place::size() const {
  if (!present()) return 0;
  if (value_->is_array()) return value_->get_array().size();
  return value_->is_object() ? value_->get_object().size() : 0;
}

const json::Value& Place::value() const {
  static const json::Value missing = nullptr;
  return present() ? *value_ : missing;
}

void check_not_negative(const Place& place, Findings& findings) {
  if (place.integer() < 0)
    findings.invalid(place.path(), place.value(), "must be greater than or equal to 0");
}

void check_immutable(const Place& now, const Place& before, Findings& findings) {
  if (!same_when_stored(now.value(), before.value()))
    findings.invalid(now.path(), now.value(), "field is immutable");
}

void check_one_of(const Place& place, const std::vector<std::string>& allowed, Findings& findings) {
  if (std::ranges::find(allowed, place.text()) == allowed.end())
    findings.not_supported(place.path(), json::Value(place.text()), allowed);
}

void check_name(const Place& place, std::string (*problem)(std::string_view), Findings& findings) {
  if (place.empty()) return findings.required(place.path());
  if (std::string text = problem(place.text()); !text.empty())
    findings.invalid(place.path(), place.value(), std::move(text));
}

void check_port_number(const Place& place, Findings& findings) {
  if (place.integer() < 1 || place.integer() > 65535)
    findings.invalid(place.path(), json::Value(place.integer()),
                     "must be between 1 and 65535, inclusive");
}

void check_port(const Place& place, Findings& findings) {
  if (!place.is_text()) return check_port_number(place, findings);
  for (std::string& problem : port_name_problems(place.text()))
    findings.invalid(place.path(), place.value(), std::move(problem));
}

std::vector<std::string> port_name_problems(std::string_view name) {
  std::vector<std::string> problems;
  if (name.size() > kMaxPortName)
    problems.push_back(fmt::format("must be no more than {} characters", kMaxPortName));
  if (!std::ranges::all_of(name, [](char c) { return is_letter(c) || is_digit(c) || c == '-'; }))
    problems.emplace_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  if (!std::ranges::any_of(name, is_letter))
    problems.emplace_back("must contain at least one letter (a-z)");
  if (name.find("--") != std::string_view::npos)
    problems.emplace_back("must not contain consecutive hyphens");
  if (!name.empty() && (name.front() == '-' || name.back() == '-'))
    problems.emplace_back("must not begin or end with a hyphen");
  return problems;
}

std::string config_key_problem(std::string_view key) {
  if (key.size() > kMaxConfigKey)
    return fmt::format("must be no more than {} characters", kMaxConfigKey);
  const bool fine = !key.empty() && std::ranges::all_of(key, [](char c) {
    return is_letter(c) || is_digit(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' ||
           c == '_';
  });
  if (!fine)
    return "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
           "'key.name',  or "
           "'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";
  if (key == "." || key == "..") return fmt::format("must not be '{}'", key);
  return key.starts_with("..") ? "must not start with '..'" : std::string();
}

void not_found(const Place& place, Findings& findings) {
  findings.add(
      {"FieldValueNotFound", "Not found: " + json::write(json::Value(place.text())), place.path()});
}

}  // namespace slipway::api
