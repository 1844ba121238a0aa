#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/rules/validate.h"
#include "base/json.h"

namespace slipway::api {

// A place in an object under validation: the value there, if any, and its path for messages. Steps
// through what is missing or of another type lead to places without a value, so rules need no
// checks on the way.
class Place {
 public:
  Place(const json::Value* value, std::string path)
      : value_(value != nullptr && !value->is_null() ? value : nullptr), path_(std::move(path)) {}
  // A top-level field.
  static Place of(const json::Object& object, std::string_view field) {
    return {object.if_contains(field), std::string(field)};
  }

  Place operator[](std::string_view field) const;  // spec.replicas
  Place key(std::string_view key) const;           // data[key]
  std::vector<Place> items() const;                // of a list: ports[0] …
  std::vector<std::string_view> keys() const;      // of an object

  bool present() const { return value_ != nullptr; }
  // Missing, or an empty text, list or object.
  bool empty() const;
  bool is_text() const { return present() && value_->is_string(); }
  bool is_integer() const { return present() && (value_->is_int64() || value_->is_uint64()); }
  std::string_view text() const;  // empty when it is none
  std::int64_t integer(std::int64_t otherwise = 0) const;
  bool truth() const { return present() && value_->is_bool() && value_->get_bool(); }
  std::size_t size() const;          // of a list or object
  const json::Value& value() const;  // null when missing
  const std::string& path() const { return path_; }

 private:
  const json::Value* value_;
  std::string path_;
};

// Rules that recur in Kubernetes' validation, in its words.
void check_not_negative(const Place& place, Findings& findings);
// Equal once Go has written both: what is empty is as good as absent, at any depth.
bool same_when_stored(const json::Value& a, const json::Value& b);
void check_immutable(const Place& now, const Place& before, Findings& findings);
void check_one_of(const Place& place, const std::vector<std::string>& allowed, Findings& findings);
void check_name(const Place& place, std::string (*problem)(std::string_view), Findings& findings);
// A port by number or by name.
void check_port(const Place& place, Findings& findings);
void check_port_number(const Place& place, Findings& findings);
// What is wrong with a port's name, one explanation each.
std::vector<std::string> port_name_problems(std::string_view name);
// ConfigMap and Secret keys; empty when fine.
std::string config_key_problem(std::string_view key);
void not_found(const Place& place, Findings& findings);

}  // namespace slipway::api
