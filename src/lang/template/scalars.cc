#include "lang/template/scalars.h"

#include <fmt/format.h>

#include <utility>

namespace slipway::lang {

Result<std::string> scalar_text(const json::Value& value, std::string where) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_null()) return std::string();
  if (value.is_object() || value.is_array())
    return fail(ErrorCode::kInvalid,
                fmt::format("is {}; write a text", value.is_object() ? "an object" : "a list"),
                std::move(where));
  return json::write(value);
}

Result<json::Object> scalar_texts(const json::Object& data, std::string_view key) {
  const json::Value* given = data.if_contains(key);
  if (given == nullptr || given->is_null()) return json::Object();
  if (!given->is_object())
    return fail(ErrorCode::kInvalid, "is no object; write names with texts", std::string(key));
  json::Object out;
  for (const auto& [name, value] : given->get_object()) {
    auto text = scalar_text(value, fmt::format("{}.{}", key, std::string_view(name)));
    if (!text) return std::unexpected(std::move(text).error());
    out[name] = *text;
  }
  return out;
}

}  // namespace slipway::lang
