#include "rollout/objects/fields.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace slipway::rollout {

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::int64_t number_at(const json::Value& document, FieldPath path, std::int64_t fallback) {
  const json::Value* found = json::at(document, path);
  return found && found->is_int64() ? found->get_int64() : fallback;
}

Count count_at(const json::Value& document, FieldPath path, Count fallback) {
  return static_cast<Count>(std::clamp<std::int64_t>(number_at(document, path, fallback),
                                                     std::numeric_limits<Count>::min(),
                                                     std::numeric_limits<Count>::max()));
}

std::optional<Time> time_at(const json::Value& document, FieldPath path) {
  const auto time = parse_time(json::string_at(document, path));
  return time ? std::optional(*time) : std::nullopt;
}

std::map<std::string, std::string> texts_at(const json::Value& document, FieldPath path) {
  std::map<std::string, std::string> texts;
  const json::Value* found = json::at(document, path);
  if (!found || !found->is_object()) return texts;
  for (const auto& [key, value] : found->get_object())
    if (value.is_string()) texts.emplace(key, value.get_string());
  return texts;
}

std::string label_of(const json::Object& object, std::string_view key) {
  const json::Object* metadata = api::metadata_of(object);
  const json::Value* labels = metadata ? metadata->if_contains("labels") : nullptr;
  const json::Object* map = labels ? labels->if_object() : nullptr;
  const json::Value* label = map ? map->if_contains(key) : nullptr;
  return label && label->is_string() ? std::string(label->get_string()) : std::string();
}

}  // namespace slipway::rollout
