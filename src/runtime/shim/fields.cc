#include "runtime/shim/fields.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "base/utf8.h"

namespace slipway::runtime {

namespace {

constexpr std::string_view kBytes = "base64";

bool read_text(const json::Value& value, std::string& into) {
  if (const auto* text = value.if_string()) {
    into.assign(text->data(), text->size());
    return true;
  }
  const json::Value* coded = json::at(value, {kBytes});
  if (!coded || !coded->is_string()) return false;
  auto bytes = base64_decode(coded->get_string());
  if (bytes) into = std::move(*bytes);
  return bytes.has_value();
}

}  // namespace

Fields::Fields(const json::Value& value, std::string path) : path_(std::move(path)) {
  object_ = value.if_object();
  if (!object_) result_ = fail(ErrorCode::kInvalid, "is not an object", path_);
}

const json::Value* Fields::find(std::string_view name) const {
  return object_ ? object_->if_contains(name) : nullptr;
}

std::string Fields::path_of(std::string_view name) const {
  return path_.empty() ? std::string(name) : fmt::format("{}.{}", path_, name);
}

void Fields::keep(Result<> part) {
  if (result_ && !part) result_ = std::move(part);
}

void Fields::refuse(std::string_view name, std::string_view why) {
  keep(fail(ErrorCode::kInvalid, std::string(why), path_of(name)));
}

void Fields::read(std::string_view name, std::string& into) {
  const json::Value* value = find(name);
  if (!value) return;
  if (!read_text(*value, into)) refuse(name, "is not a string");
}

void Fields::read(std::string_view name, bool& into) {
  const json::Value* value = find(name);
  if (!value) return;
  if (const bool* flag = value->if_bool())
    into = *flag;
  else
    refuse(name, "is neither true nor false");
}

void Fields::read(std::string_view name, Time& into) {
  std::int64_t nanoseconds = into.time_since_epoch().count();
  read(name, nanoseconds);
  into = Time(Duration(nanoseconds));
}

void Fields::read(std::string_view name, Duration& into) {
  std::int64_t nanoseconds = into.count();
  read(name, nanoseconds);
  into = Duration(nanoseconds);
}

const json::Array* Fields::array(std::string_view name, std::size_t most) {
  const json::Value* value = find(name);
  if (!value) return nullptr;
  const json::Array* items = value->if_array();
  if (!items) {
    refuse(name, "is not a list");
    return nullptr;
  }
  if (items->size() > most) {
    refuse(name, fmt::format("has {} members, at most {} are allowed", items->size(), most));
    return nullptr;
  }
  return items;
}

void Fields::read(std::string_view name, std::vector<std::string>& into) {
  each(name, kMaxItems, [&into](const json::Value& item, const std::string& path) -> Result<> {
    if (!read_text(item, into.emplace_back()))
      return fail(ErrorCode::kInvalid, "is not a string", path);
    return {};
  });
}

void Fields::read(std::string_view name, std::vector<std::pair<std::string, std::string>>& into) {
  each(name, kMaxItems, [&into](const json::Value& item, const std::string& path) -> Result<> {
    Fields fields(item, path);
    std::pair<std::string, std::string> pair;
    fields.read("name", pair.first);
    fields.read("value", pair.second);
    into.push_back(std::move(pair));
    return fields.result();
  });
}

json::Value time_value(Time time) { return time.time_since_epoch().count(); }

json::Value text_value(const std::string& text) {
  if (utf8::repaired(text) == text) return json::Value(text);
  return json::Object{{kBytes, base64_encode(text)}};
}

json::Value strings_value(const std::vector<std::string>& strings) {
  json::Array array;
  array.reserve(strings.size());
  for (const auto& text : strings) array.push_back(text_value(text));
  return array;
}

json::Value pairs_value(const std::vector<std::pair<std::string, std::string>>& pairs) {
  json::Array array;
  array.reserve(pairs.size());
  for (const auto& [name, value] : pairs)
    array.emplace_back(json::Object{{"name", text_value(name)}, {"value", text_value(value)}});
  return array;
}

}  // namespace slipway::runtime
